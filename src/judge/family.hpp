// The family of a model: judges tend to favour their own family.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace personascope::judge {

// "gpt", "claude", "llama", … by the model's name, for any provider; nothing for an unknown
// name.
std::optional<std::string> find_family(std::string_view model);

// Whether both are of one known family, or are the same model.
bool are_kin(std::string_view first, std::string_view second);

}  // namespace personascope::judge
