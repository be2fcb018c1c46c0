#include "app/models.hpp"

#include "eval/planning.hpp"
#include "llm/embedded/weights.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {

std::vector<ProviderInfo> list_providers(const Context& context) {
  std::vector<ProviderInfo> list;
  for (const llm::ProviderRow& row : llm::providers()) {
    llm::ProviderState state = llm::state_of(row, context.environment());
    list.push_back({.name = std::string(row.name),
                    .example = fmt::format("{}/{}", row.name, row.example),
                    .ready = state.ready,
                    .key_variable = std::move(state.key_variable),
                    .base_url = std::move(state.base_url),
                    .missing = std::move(state.missing),
                    .output_schema = row.output_schema,
                    .logprobs = row.logprobs,
                    .likelihood = row.likelihood});
  }
  return list;
}

std::vector<std::string> list_example_models() {
  std::vector<std::string> names;
  for (const llm::ProviderRow& row : llm::providers())
    names.push_back(fmt::format("{}/{}", row.name, row.example));
  return names;
}

std::vector<EmbeddedInfo> list_embedded(const Context& context) {
  std::vector<EmbeddedInfo> list;
  for (const auto& entry : llm::embedded::list_weights(context.environment()))
    list.push_back({"embedded/" + entry.name, entry.bytes,
                    llm::embedded::find_problem(entry, context.environment())});
  return list;
}

std::string embedded_folder(const Context& context) {
  return llm::embedded::models_folder(context.environment());
}

Result<std::string> choose_model(const Context& context, const std::string& given) {
  return eval::choose_model(context.plan_context(), given);
}

Result<std::string> choose_reader(const Context& context, const std::optional<std::string>& given,
                                  const std::string& model) {
  return eval::choose_reader(context.plan_context(), given.value_or(""), model);
}

Json to_json(const ProviderInfo& provider) {
  return {{"name", provider.name},
          {"example", provider.example},
          {"ready", provider.ready},
          {"key_variable", provider.key_variable},
          {"base_url", provider.base_url},
          {"missing", provider.missing},
          {"output_schema", provider.output_schema},
          {"logprobs", provider.logprobs},
          {"likelihood", provider.likelihood}};
}

}  // namespace personascope::app
