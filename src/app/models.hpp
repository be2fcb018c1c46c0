// The catalog as users see it.
#pragma once

#include <cstdint>
#include <optional>
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
  bool likelihood = false;
};

std::vector<ProviderInfo> list_providers(const Context& context);
Json to_json(const ProviderInfo& provider);
// A whole model name for each provider, whether or not it could be used here.
std::vector<std::string> list_example_models();

// A model file that embedded/<name> would find.
struct EmbeddedInfo {
  std::string name;  // "embedded/smollm2-135m"
  std::int64_t bytes = 0;
  std::string problem;  // empty if its file is whole, as far as can be seen
};
std::vector<EmbeddedInfo> list_embedded(const Context& context);
std::string embedded_folder(const Context& context);

// The model to ask: `given`, or the embedded one if none is given and no hosted provider has a key.
// Fails as Invalid if it cannot be guessed.
Result<std::string> choose_model(const Context& context, const std::string& given);

// Who reads how likely answers are: `given`, nobody if that is "none"; if none is given, the model
// under test where it is embedded, else the one that comes with the program, if its weights are
// there. Empty: nobody. Fails as Invalid if the one that is given cannot read.
Result<std::string> choose_reader(const Context& context, const std::optional<std::string>& given,
                                  const std::string& model);

}  // namespace personascope::app
