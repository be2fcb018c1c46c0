// The catalog as users see it.
#pragma once

#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"

namespace personascope::app {

struct ProviderInfo {
  std::string name;
  std::string example;       // a whole model name, "openai/gpt-4o"
  bool ready = false;        // could be used now
  std::string key_variable;  // where its key was found; never the key
  std::string base_url;
  std::string missing;  // what to set, if not ready
  bool output_schema = false;
  bool logprobs = false;
};

std::vector<ProviderInfo> list_providers(const Context& context);
Json to_json(const ProviderInfo& provider);

}  // namespace personascope::app
