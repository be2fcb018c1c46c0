#include "llm/providers/catalog.hpp"

#include <algorithm>
#include <filesystem>

#include "llm/embedded/weights.hpp"
#include "llm/providers/access.hpp"
#include "llm/providers/bedrock.hpp"
#include "llm/providers/bot_model.hpp"

namespace personascope::llm {
namespace {

// clang-format off
constexpr std::array kProviders{
    ProviderRow{"openai", Api::OpenAi, "https://api.openai.com/v1", KeyNeed::Required,
                {"OPENAI_API_KEY", ""}, "OPENAI_BASE_URL", "max_completion_tokens", true, true, false, "gpt-4o", "seed", true, false, EffortField::Plain},
    ProviderRow{"anthropic", Api::Anthropic, "https://api.anthropic.com", KeyNeed::Required,
                {"ANTHROPIC_API_KEY", "CLAUDE_API_KEY"}, "ANTHROPIC_BASE_URL", "", true, false, false, "claude-3-5-sonnet-20241022"},
    ProviderRow{"together", Api::OpenAi, "https://api.together.xyz/v1", KeyNeed::Required,
                {"TOGETHER_API_KEY", "LLAMA_API_KEY"}, "TOGETHER_BASE_URL", "max_tokens", true, true, true, "meta-llama/Llama-3.3-70B-Instruct-Turbo", "seed", true, false, EffortField::Plain},
    ProviderRow{"groq", Api::OpenAi, "https://api.groq.com/openai/v1", KeyNeed::Required,
                {"GROQ_API_KEY", ""}, "GROQ_BASE_URL", "max_tokens", false, false, false, "llama-3.3-70b-versatile", "seed", true, false, EffortField::Plain},
    ProviderRow{"mistral", Api::OpenAi, "https://api.mistral.ai/v1", KeyNeed::Required,
                {"MISTRAL_API_KEY", ""}, "MISTRAL_BASE_URL", "max_tokens", true, false, false, "mistral-small-latest", "random_seed", false},
    ProviderRow{"deepseek", Api::OpenAi, "https://api.deepseek.com/v1", KeyNeed::Required,
                {"DEEPSEEK_API_KEY", ""}, "DEEPSEEK_BASE_URL", "max_tokens", false, true, false, "deepseek-chat"},
    ProviderRow{"fireworks", Api::OpenAi, "https://api.fireworks.ai/inference/v1", KeyNeed::Required,
                {"FIREWORKS_API_KEY", ""}, "FIREWORKS_BASE_URL", "max_tokens", true, true, true, "accounts/fireworks/models/llama-v3p1-70b-instruct", "seed", true, false, EffortField::Plain},
    ProviderRow{"openrouter", Api::OpenAi, "https://openrouter.ai/api/v1", KeyNeed::Required,
                {"OPENROUTER_API_KEY", ""}, "OPENROUTER_BASE_URL", "max_tokens", true, true, true, "meta-llama/llama-3.1-70b-instruct", "seed", true, false, EffortField::Reasoning},
    ProviderRow{"ollama", Api::OpenAi, "http://localhost:11434/v1", KeyNeed::None,
                {"", ""}, "OLLAMA_BASE_URL", "max_tokens", true, false, false, "llama3.1", "seed", true, false, EffortField::Plain},
    ProviderRow{"vllm", Api::Vllm, "http://localhost:8000/v1", KeyNeed::Optional,
                {"VLLM_API_KEY", ""}, "VLLM_BASE_URL", "max_tokens", true, true, true, "meta-llama/Llama-3.1-8B-Instruct", "seed", true, true, EffortField::Plain},
    ProviderRow{"llama-server", Api::OpenAi, "http://localhost:8080/v1", KeyNeed::Optional,
                {"LLAMA_SERVER_API_KEY", ""}, "LLAMA_SERVER_BASE_URL", "max_tokens", true, true, true, "default", "seed", true, false, EffortField::ChatTemplate},
    ProviderRow{"azure", Api::AzureOpenAi, "", KeyNeed::Required,
                {"AZURE_OPENAI_API_KEY", ""}, "AZURE_OPENAI_ENDPOINT", "max_completion_tokens", true, true, false, "my-deployment", "seed", true, false, EffortField::Plain},
    ProviderRow{"bedrock", Api::Bedrock, "", KeyNeed::Required,
                {"AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"}, "BEDROCK_BASE_URL", "", true, false, false, "anthropic.claude-3-sonnet-20240229-v1:0"},
    ProviderRow{"openai-api", Api::NamedOpenAi, "", KeyNeed::Optional,
                {"", ""}, "", "max_tokens", true, true, true, "myserver/my-model", "seed", true, false, EffortField::Plain},
    ProviderRow{"embedded", Api::Embedded, "", KeyNeed::None,
                {"", ""}, "", "", true, true, true, "smollm2-135m", "seed", true, true},
    ProviderRow{"scripted", Api::Scripted, "", KeyNeed::None,
                {"", ""}, "", "", false, false, false, "examples/replies.yaml"},
    ProviderRow{"http", Api::Bot, "", KeyNeed::None,
                {"", ""}, "", "", false, false, false, "examples/bot.yaml"},
};
// clang-format on

constexpr std::string_view kPlaceholder = "https://not-known.invalid";

// Servers that the user has named: those with a <NAME>_BASE_URL that is no provider's own.
ProviderState state_of_named(const files::Environment& environment) {
  ProviderState state;
  for (const std::string& variable : environment.names_ending_with("_BASE_URL")) {
    const bool is_ours = std::ranges::any_of(
        kProviders, [&](const ProviderRow& row) { return row.base_url_variable == variable; });
    if (is_ours || variable.starts_with("PERSONASCOPE_")) continue;
    const std::string key = variable.substr(0, variable.size() - 8) + "API_KEY";
    state.ready = true;
    state.base_url = without_credentials(environment.find(variable).value_or(""));
    if (environment.find(key)) state.key_variable = key;
    return state;
  }
  state.missing = "set <NAME>_BASE_URL";
  return state;
}

}  // namespace

std::span<const ProviderRow> providers() {
  return kProviders;
}

const ProviderRow* find_provider(std::string_view name) {
  const auto row = std::ranges::find(kProviders, name, &ProviderRow::name);
  return row == kProviders.end() ? nullptr : &*row;
}

ProviderState state_of(const ProviderRow& row, const files::Environment& environment) {
  ProviderState state;
  state.base_url = without_credentials(find_base_url(row, {}, environment));
  state.key_variable = find_key(row, environment).variable;
  if (row.api == Api::NamedOpenAi) return state_of_named(environment);
  if (row.api == Api::Bedrock) {
    const auto setup = make_bedrock_setup(std::string(row.example), environment, std::nullopt, {});
    state.ready = setup.has_value();
    if (setup)
      state.base_url = setup->endpoint.base_url;
    else
      state.missing = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    return state;
  }
  if (row.api == Api::Embedded) {
    state.ready = !embedded::list_weights(environment).empty();
    if (!state.ready) state.missing = "run scripts/setup-model";
    return state;
  }
  state.ready = row.key_need != KeyNeed::Required || !state.key_variable.empty();
  if (!state.ready) state.missing = fmt::format("set {}", row.key_variables[0]);
  if (!files::check_same_source(environment, row.base_url_variable, state.key_variable)) {
    state.ready = false;
    state.missing = fmt::format("set {} in the environment, not in .env", row.base_url_variable);
  }
  if (state.ready && row.api == Api::AzureOpenAi && state.base_url.empty()) {
    state.ready = false;
    state.missing = fmt::format("set {}", row.base_url_variable);
  }
  return state;
}

std::optional<KeyUse> find_key_use(const std::string& model,
                                   const files::Environment& environment) {
  const std::size_t slash = model.find('/');
  const ProviderRow* row = find_provider(model.substr(0, slash));
  if (!row || slash == std::string::npos) return std::nullopt;
  if (row->api == Api::Bot) {
    const auto file = load_bot_file(model.substr(slash + 1), environment);
    if (!file || file->keys.empty()) return std::nullopt;
    return KeyUse{join(file->keys, " and "), file->origin};
  }
  if (row->api == Api::NamedOpenAi) {
    const std::string prefix = variable_prefix(model.substr(slash + 1));
    if (!environment.find(prefix + "_API_KEY")) return std::nullopt;
    return KeyUse{prefix + "_API_KEY",
                  without_credentials(environment.find(prefix + "_BASE_URL").value_or(""))};
  }
  const ProviderState state = state_of(*row, environment);
  if (row->api == Api::Bedrock && state.ready) return KeyUse{"the AWS keys", state.base_url};
  if (state.key_variable.empty()) return std::nullopt;
  return KeyUse{state.key_variable, state.base_url};
}

files::Environment fill_in_keys(files::Environment environment) {
  for (const ProviderRow& row : kProviders)
    if (row.key_need == KeyNeed::Required && !state_of(row, environment).ready)
      environment.set_if_missing(std::string(row.key_variables[0]), "none");
  environment.set_if_missing(std::string(kAnyKey), "none");
  return environment;
}

files::Environment fill_in_access(files::Environment environment) {
  environment = fill_in_keys(std::move(environment));
  for (const ProviderRow& row : kProviders)
    if (row.api == Api::AzureOpenAi)
      environment.set_if_missing(std::string(row.base_url_variable), std::string(kPlaceholder));
  environment.set_if_missing(std::string(kAnyServer), std::string(kPlaceholder));
  return environment;
}

std::string make_absolute_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  const ProviderRow* row = find_provider(name.substr(0, slash));
  if (slash == std::string::npos || !row) return name;
  const std::string file = name.substr(slash + 1);
  const bool is_file = row->api == Api::Scripted || row->api == Api::Bot ||
                       (row->api == Api::Embedded && embedded::is_path(file));
  if (!is_file) return name;
  std::error_code failed;
  const auto path = std::filesystem::absolute(file, failed);
  return failed ? name : name.substr(0, slash + 1) + path.lexically_normal().string();
}

}  // namespace personascope::llm
