#include "app/models.hpp"

#include "base/text.hpp"
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
  if (!given.empty()) return given;
  for (const llm::ProviderRow& row : llm::providers())
    if (row.key_need == llm::KeyNeed::Required && llm::state_of(row, context.environment()).ready)
      return fail(ErrorKind::Invalid,
                  "name a model with --model or --judge: there is a key for {0}, e.g. {0}/{1}; "
                  "embedded/{2} needs none",
                  row.name, row.example, llm::embedded::kDefaultModel);
  return fmt::format("embedded/{}", llm::embedded::kDefaultModel);
}

Result<std::string> choose_reader(const Context& context, const std::optional<std::string>& given,
                                  const std::string& model) {
  if (given == "none") return "";
  if (given) {
    // A provider that we don't know is complained about when the model is made.
    const llm::ProviderRow* row = llm::find_provider(given->substr(0, given->find('/')));
    if (row && !row->likelihood)
      return fail(ErrorKind::Invalid,
                  "{} cannot read how likely a text is: with --reader name an embedded model, "
                  "vllm/…, or none",
                  printable(*given));
    return llm::make_absolute_name(*given);
  }
  if (llm::embedded::list_weights(context.environment()).empty()) return "";
  if (model.starts_with("embedded/")) return model;
  return fmt::format("embedded/{}", llm::embedded::kDefaultModel);
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
