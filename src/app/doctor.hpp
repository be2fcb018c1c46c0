// `doctor`: what works on this machine, and how to mend what does not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"

namespace personascope::app {

enum class Health { Good, Note, Bad };

struct Finding {
  std::string what;
  Health health = Health::Good;
  std::string detail;
  std::string remedy;  // empty if there is nothing to mend
};

std::string_view name_of(Health health);
Json to_json(const Finding& finding);

// Checks settings, the store, the disk, the network library, the terminal's settings and the
// providers' keys; with `model`, also sends it one tiny request that is not journalled.
std::vector<Finding> examine(const ContextOptions& options, const std::optional<std::string>& model,
                             const std::optional<std::string>& base_url);

}  // namespace personascope::app
