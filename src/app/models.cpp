#include "app/models.hpp"

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
                    .logprobs = row.logprobs});
  }
  return list;
}

Json to_json(const ProviderInfo& provider) {
  return {{"name", provider.name},
          {"example", provider.example},
          {"ready", provider.ready},
          {"key_variable", provider.key_variable},
          {"base_url", provider.base_url},
          {"missing", provider.missing},
          {"output_schema", provider.output_schema},
          {"logprobs", provider.logprobs}};
}

}  // namespace personascope::app
