// How a model is to be reached or run, where its provider leaves a choice.
#pragma once

#include <optional>
#include <string>

#include "http/client.hpp"
#include "llm/embedded/embedded_model.hpp"

namespace personascope::llm {

struct ModelOptions {
  std::optional<std::string> base_url;  // overrides the catalog and the variables
  http::Timeouts timeouts = {};
  EmbeddedOptions embedded = {};
  std::optional<std::string> aws_region = {};  // overrides the variables and the profile
};

}  // namespace personascope::llm
