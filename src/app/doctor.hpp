// `doctor`: what works on this machine, and how to fix what does not.
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
  std::string remedy;  // empty if there is nothing to fix
};

std::string_view name_of(Health health);
Json to_json(const Finding& finding);

// Checks settings, the store, the disk, the network library, the terminal's settings and the
// providers' keys; with a model, also whether it could be asked.
struct ModelCheck {
  std::string model;
  std::optional<std::string> base_url;
  bool ask = false;  // sends one tiny request, which is paid and not journalled
};
std::vector<Finding> examine(const ContextOptions& options, const std::optional<ModelCheck>& check);

}  // namespace personascope::app
