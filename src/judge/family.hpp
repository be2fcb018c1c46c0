// Which family a model is of: a judge is said to favour its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace personascope::judge {

// "gpt", "claude", "llama", … by what the model's name holds, whoever serves it; nothing for a name
// that no row knows.
std::optional<std::string> find_family(std::string_view model);

// Whether both are of one known family, or one and the same model.
bool are_kin(std::string_view first, std::string_view second);

}  // namespace personascope::judge
