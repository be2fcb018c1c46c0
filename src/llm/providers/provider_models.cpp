#include "llm/providers/provider_models.hpp"

#include <array>
#include <filesystem>

#include "llm/embedded/embedded_model.hpp"
#include "llm/providers/access.hpp"
#include "llm/providers/anthropic.hpp"
#include "llm/providers/bedrock.hpp"
#include "llm/providers/bot_model.hpp"
#include "llm/providers/http_model.hpp"
#include "llm/providers/model_traits.hpp"
#include "llm/providers/openai.hpp"
#include "llm/providers/scripted.hpp"
#include "llm/providers/vllm.hpp"

namespace personascope::llm {
namespace {

using Made = Result<std::unique_ptr<Model>>;

constexpr std::string_view kAnthropicVersion = "2023-06-01";
constexpr std::string_view kAzureVersion = "2024-10-21";

OpenAiDialect dialect_of(const ProviderRow& row) {
  return {.path = "/chat/completions",
          .max_tokens_field = std::string(row.max_tokens_field),
          .output_schema = row.output_schema,
          .logprobs = row.logprobs,
          .extra_sampling = row.extra_sampling,
          .seed_field = std::string(row.seed_field),
          .stream_options = row.stream_options,
          .effort = row.effort};
}

// A model of a provider that speaks HTTP with a key in a header.
HttpModelSetup make_setup(const ProviderRow& row, const std::string& model, Access access,
                          const ModelOptions& options, std::string key_header,
                          std::string key_prefix) {
  HttpModelSetup setup;
  setup.endpoint = {std::string(row.name), without_credentials(access.address), model, ""};
  setup.address = std::move(access.address);
  const ModelTraits traits = traits_of(model);
  const bool can_tell = row.effort != EffortField::None || row.api == Api::Anthropic;
  setup.features = {.output_schema = row.output_schema,
                    .logprobs = row.logprobs && traits.logprobs,
                    .likelihood = row.likelihood,
                    .thinking = can_tell && traits.thinks};
  setup.timeouts = options.timeouts;
  setup.authorize =
      make_key_header(std::move(key_header), std::move(key_prefix), std::move(access.key));
  return setup;
}

Made make_openai_model(const ProviderRow& row, const std::string& model, const ModelParts& parts) {
  ASSIGN_OR_RETURN(Access access, find_access(row, parts.options, parts.settings));
  return make_http_model(
      parts.client, make_openai_wire(dialect_of(row)),
      make_setup(row, model, std::move(access), parts.options, "Authorization", "Bearer "));
}

Made make_azure_model(const ProviderRow& row, const std::string& model, const ModelParts& parts) {
  ASSIGN_OR_RETURN(Access access, find_access(row, parts.options, parts.settings));
  const std::string version =
      parts.settings.find("AZURE_OPENAI_API_VERSION").value_or(std::string(kAzureVersion));
  OpenAiDialect dialect = dialect_of(row);
  dialect.path =
      fmt::format("/openai/deployments/{}/chat/completions?api-version={}", model, version);
  return make_http_model(parts.client, make_openai_wire(std::move(dialect)),
                         make_setup(row, model, std::move(access), parts.options, "api-key", ""));
}

Made make_named_model(const ProviderRow& row, const std::string& rest, const ModelParts& parts) {
  const std::size_t slash = rest.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == rest.size())
    return fail(ErrorKind::Invalid, "write openai-api/<name>/<model>, e.g. openai-api/{}",
                row.example);
  ASSIGN_OR_RETURN(Access access, find_named_access(rest, parts.options, parts.settings));
  HttpModelSetup setup = make_setup(row, rest.substr(slash + 1), std::move(access), parts.options,
                                    "Authorization", "Bearer ");
  setup.endpoint.provider = fmt::format("openai-api/{}", rest.substr(0, slash));
  return make_http_model(parts.client, make_openai_wire(dialect_of(row)), std::move(setup));
}

Made make_vllm(const ProviderRow& row, const std::string& model, const ModelParts& parts) {
  ASSIGN_OR_RETURN(Access access, find_access(row, parts.options, parts.settings));
  return make_vllm_model(
      parts.client, make_openai_wire(dialect_of(row)),
      make_setup(row, model, std::move(access), parts.options, "Authorization", "Bearer "));
}

Made make_anthropic_model(const ProviderRow& row, const std::string& model,
                          const ModelParts& parts) {
  ASSIGN_OR_RETURN(Access access, find_access(row, parts.options, parts.settings));
  auto setup = make_setup(row, model, std::move(access), parts.options, "x-api-key", "");
  setup.headers.push_back({"anthropic-version", std::string(kAnthropicVersion)});
  return make_http_model(parts.client, make_anthropic_wire(), std::move(setup));
}

Made make_bedrock_model(const ProviderRow&, const std::string& model, const ModelParts& parts) {
  const ModelOptions& options = parts.options;
  ASSIGN_OR_RETURN(auto setup,
                   make_bedrock_setup(bedrock_model_id(model), parts.settings, options.base_url,
                                      options.timeouts, options.aws_region));
  return make_http_model(parts.client, make_bedrock_wire(), std::move(setup));
}

Made make_embedded(const ProviderRow&, const std::string& model, const ModelParts& parts) {
  return make_embedded_model(model, parts.options.embedded, parts.settings, parts.client.loop());
}

Made make_scripted(const ProviderRow&, const std::string& path, const ModelParts&) {
  return load_scripted_model(path);
}

Made make_bot(const ProviderRow&, const std::string& path, const ModelParts& parts) {
  if (parts.options.base_url)
    return fail(ErrorKind::Invalid, "a bot's address is in its file: leave out `base_url`");
  ASSIGN_OR_RETURN(BotFile file, load_bot_file(path, parts.settings));
  return make_bot_model(parts.client, std::move(file),
                        std::filesystem::path(path).filename().string(), parts.options.timeouts);
}

// In the order of Api.
constexpr std::array<Made (*)(const ProviderRow&, const std::string&, const ModelParts&), 9>
    kMakers{make_openai_model,  make_azure_model, make_named_model, make_vllm, make_anthropic_model,
            make_bedrock_model, make_embedded,    make_scripted,    make_bot};
static_assert(static_cast<std::size_t>(Api::Bot) + 1 == kMakers.size());

}  // namespace

Result<std::unique_ptr<Model>> make_provider_model(const ProviderRow& row, const std::string& name,
                                                   const ModelParts& parts) {
  return kMakers[static_cast<std::size_t>(row.api)](row, name, parts);
}

}  // namespace personascope::llm
