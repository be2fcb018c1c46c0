// Which addresses the user has chosen. A stored run names the address of its models, and the store
// may be somebody else's: then a key of the user's must not go there unasked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/result.hpp"
#include "store/store.hpp"

namespace personascope::app {

// Remembers an address that the user has given by hand (in the file `addresses` of the home
// folder), so that runs with it can be resumed without a question. Without one it does nothing.
void remember_address(const Context& context, const std::optional<std::string>& base_url);

// Fails as Unauthorized if the stored run would send a key of the user's to an address that is
// neither in the user's settings nor remembered, and the listener's `confirm` does not allow it.
// `models` are those that it asks at its address. Nothing is checked where `base_url` replaces it.
Result<void> check_address(const Context& context, const store::RunRecord& run,
                           const std::vector<std::string>& models,
                           const std::optional<std::string>& base_url, const Listener& listener);

}  // namespace personascope::app
