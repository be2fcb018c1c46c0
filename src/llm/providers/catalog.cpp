#include "llm/providers/catalog.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "llm/embedded/weights.hpp"
#include "llm/providers/anthropic.hpp"
#include "llm/providers/bedrock.hpp"
#include "llm/providers/http_model.hpp"
#include "llm/providers/openai.hpp"
#include "llm/providers/scripted.hpp"
#include "llm/providers/vllm.hpp"

namespace personascope::llm {
namespace {

// clang-format off
constexpr std::array kProviders{
    ProviderRow{"openai", Api::OpenAi, "https://api.openai.com/v1", KeyNeed::Required,
                {"OPENAI_API_KEY", ""}, "OPENAI_BASE_URL", "max_completion_tokens", true, true, false, "gpt-4o"},
    ProviderRow{"anthropic", Api::Anthropic, "https://api.anthropic.com", KeyNeed::Required,
                {"ANTHROPIC_API_KEY", "CLAUDE_API_KEY"}, "ANTHROPIC_BASE_URL", "", true, false, false, "claude-3-5-sonnet-20241022"},
    ProviderRow{"together", Api::OpenAi, "https://api.together.xyz/v1", KeyNeed::Required,
                {"TOGETHER_API_KEY", "LLAMA_API_KEY"}, "TOGETHER_BASE_URL", "max_tokens", true, true, true, "meta-llama/Llama-3.3-70B-Instruct-Turbo"},
    ProviderRow{"groq", Api::OpenAi, "https://api.groq.com/openai/v1", KeyNeed::Required,
                {"GROQ_API_KEY", ""}, "GROQ_BASE_URL", "max_tokens", false, false, false, "llama-3.3-70b-versatile"},
    ProviderRow{"mistral", Api::OpenAi, "https://api.mistral.ai/v1", KeyNeed::Required,
                {"MISTRAL_API_KEY", ""}, "MISTRAL_BASE_URL", "max_tokens", true, false, false, "mistral-small-latest", "random_seed", false},
    ProviderRow{"deepseek", Api::OpenAi, "https://api.deepseek.com/v1", KeyNeed::Required,
                {"DEEPSEEK_API_KEY", ""}, "DEEPSEEK_BASE_URL", "max_tokens", false, true, false, "deepseek-chat"},
    ProviderRow{"fireworks", Api::OpenAi, "https://api.fireworks.ai/inference/v1", KeyNeed::Required,
                {"FIREWORKS_API_KEY", ""}, "FIREWORKS_BASE_URL", "max_tokens", true, true, true, "accounts/fireworks/models/llama-v3p1-70b-instruct"},
    ProviderRow{"openrouter", Api::OpenAi, "https://openrouter.ai/api/v1", KeyNeed::Required,
                {"OPENROUTER_API_KEY", ""}, "OPENROUTER_BASE_URL", "max_tokens", true, true, true, "meta-llama/llama-3.1-70b-instruct"},
    ProviderRow{"ollama", Api::OpenAi, "http://localhost:11434/v1", KeyNeed::None,
                {"", ""}, "OLLAMA_BASE_URL", "max_tokens", true, false, false, "llama3.1"},
    ProviderRow{"vllm", Api::Vllm, "http://localhost:8000/v1", KeyNeed::Optional,
                {"VLLM_API_KEY", ""}, "VLLM_BASE_URL", "max_tokens", true, true, true, "meta-llama/Llama-3.1-8B-Instruct", "seed", true, true},
    ProviderRow{"llama-server", Api::OpenAi, "http://localhost:8080/v1", KeyNeed::Optional,
                {"LLAMA_SERVER_API_KEY", ""}, "LLAMA_SERVER_BASE_URL", "max_tokens", true, true, true, "default"},
    ProviderRow{"azure", Api::AzureOpenAi, "", KeyNeed::Required,
                {"AZURE_OPENAI_API_KEY", ""}, "AZURE_OPENAI_ENDPOINT", "max_completion_tokens", true, true, false, "my-deployment"},
    ProviderRow{"bedrock", Api::Bedrock, "", KeyNeed::Required,
                {"AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"}, "BEDROCK_BASE_URL", "", true, false, false, "anthropic.claude-3-sonnet-20240229-v1:0"},
    ProviderRow{"openai-api", Api::NamedOpenAi, "", KeyNeed::Optional,
                {"", ""}, "", "max_tokens", true, true, true, "myserver/my-model"},
    ProviderRow{"embedded", Api::Embedded, "", KeyNeed::None,
                {"", ""}, "", "", true, true, true, "smollm2-135m", "seed", true, true},
    ProviderRow{"scripted", Api::Scripted, "", KeyNeed::None,
                {"", ""}, "", "", false, false, false, "examples/replies.yaml"},
};
// clang-format on

// The address of servers for which there is none; a name with blanks cannot be set by hand.
constexpr std::string_view kAnyServer = "any server";
constexpr std::string_view kPlaceholder = "https://not-known.invalid";

constexpr std::string_view kAnthropicVersion = "2023-06-01";
constexpr std::string_view kAzureVersion = "2024-10-21";

std::string without_trailing_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

struct KeyFound {
  std::string variable;
  Secret key;
};

// Fails as Misconfigured if the key cannot be sent as it is: most often it was pasted or read from
// a file with its line end.
Result<void> check_key(const std::string& variable, const Secret& key) {
  const std::string& text = key.reveal();
  const bool has_control =
      std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; });
  if (!has_control && trim(text).size() == text.size()) return {};
  return fail(ErrorKind::Misconfigured,
              "{} begins or ends with a space or contains a line end: set it again without it",
              variable);
}

KeyFound find_key(const ProviderRow& row, const files::Environment& environment) {
  for (const std::string_view variable : row.key_variables) {
    if (variable.empty()) continue;
    if (auto value = environment.find(variable))
      return {std::string(variable), Secret(std::move(*value))};
  }
  return {};
}

std::string find_base_url(const ProviderRow& row, const ModelOptions& options,
                          const files::Environment& environment) {
  if (options.base_url) return without_trailing_slash(*options.base_url);
  if (!row.base_url_variable.empty())
    if (auto url = environment.find(row.base_url_variable))
      return without_trailing_slash(std::move(*url));
  return std::string(row.base_url);
}

// The paths that a wire adds by itself, so that a base URL must not end in one.
constexpr std::array<std::string_view, 3> kPathsOfCalls{"/chat/completions", "/completions",
                                                        "/v1/messages"};

Result<void> check_address(const std::string& address, const std::string& remedy) {
  for (const std::string_view path : kPathsOfCalls) {
    if (!address.ends_with(path)) continue;
    const std::string shown = without_credentials(address);
    return fail(ErrorKind::Invalid,
                "the base URL {} ends in {}, which is added automatically; give {} instead",
                printable(shown), path, printable(shown.substr(0, shown.size() - path.size())));
  }
  if (address.starts_with("http://") || address.starts_with("https://")) return {};
  if (address.empty()) return fail(ErrorKind::Invalid, "no base URL: {}", remedy);
  return fail(ErrorKind::Invalid, "the base URL \"{}\" must start with http:// or https://",
              printable(without_credentials(address)));
}

OpenAiDialect dialect_of(const ProviderRow& row) {
  return {.path = "/chat/completions",
          .max_tokens_field = std::string(row.max_tokens_field),
          .output_schema = row.output_schema,
          .logprobs = row.logprobs,
          .extra_sampling = row.extra_sampling,
          .seed_field = std::string(row.seed_field),
          .stream_options = row.stream_options};
}

// One address and key for the model `model` of a provider that speaks HTTP with a key in a header.
struct Access {
  std::string address;
  Secret key;
};

HttpModelSetup make_setup(const ProviderRow& row, const std::string& model, Access access,
                          const ModelOptions& options, std::string key_header,
                          std::string key_prefix) {
  HttpModelSetup setup;
  setup.endpoint = {std::string(row.name), without_credentials(access.address), model, ""};
  setup.address = std::move(access.address);
  setup.features = {
      .output_schema = row.output_schema, .logprobs = row.logprobs, .likelihood = row.likelihood};
  setup.timeouts = options.timeouts;
  setup.authorize =
      make_key_header(std::move(key_header), std::move(key_prefix), std::move(access.key));
  return setup;
}

// Where a key may be that was looked for in vain.
std::string render_unread(const files::Environment& environment) {
  return environment.unread().empty() ? "" : fmt::format(" ({})", environment.unread());
}

Result<Access> find_access(const ProviderRow& row, const ModelOptions& options,
                           const files::Environment& environment) {
  KeyFound found = find_key(row, environment);
  // A server of one's own, named by --base-url, may well need no key.
  if (found.key.empty() && row.key_need == KeyNeed::Required && !options.base_url)
    return fail(ErrorKind::Unauthorized, "{} needs a key: set {} in the environment or in .env{}",
                row.name, row.key_variables[0], render_unread(environment));
  RETURN_IF_ERROR(check_key(found.variable, found.key));
  if (!options.base_url) {
    RETURN_IF_ERROR(files::check_same_source(environment, row.base_url_variable, found.variable));
  }
  Access access{find_base_url(row, options, environment), std::move(found.key)};
  RETURN_IF_ERROR(check_address(access.address,
                                fmt::format("set {} or give `base_url`", row.base_url_variable)));
  return access;
}

Result<std::unique_ptr<Model>> make_azure_model(const ProviderRow& row, const std::string& model,
                                                const ModelOptions& options,
                                                const files::Environment& environment,
                                                http::Client& client) {
  ASSIGN_OR_RETURN(Access access, find_access(row, options, environment));
  const std::string version =
      environment.find("AZURE_OPENAI_API_VERSION").value_or(std::string(kAzureVersion));
  OpenAiDialect dialect = dialect_of(row);
  dialect.path =
      fmt::format("/openai/deployments/{}/chat/completions?api-version={}", model, version);
  return make_http_model(client, make_openai_wire(std::move(dialect)),
                         make_setup(row, model, std::move(access), options, "api-key", ""));
}

// "my-server" of "my-server/model" as it begins its variables: MY_SERVER.
std::string variable_prefix(const std::string& rest) {
  return upper(replace_all(rest.substr(0, rest.find('/')), "-", "_"));
}

// "openai-api/<name>/<model>" reads <NAME>_API_KEY and <NAME>_BASE_URL.
Result<std::unique_ptr<Model>> make_named_model(const ProviderRow& row, const std::string& rest,
                                                const ModelOptions& options,
                                                const files::Environment& environment,
                                                http::Client& client) {
  const std::size_t slash = rest.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == rest.size())
    return fail(ErrorKind::Invalid, "write openai-api/<name>/<model>, e.g. openai-api/{}",
                row.example);
  const std::string prefix = variable_prefix(rest);
  const auto known = environment.find(prefix + "_BASE_URL");
  Access access{without_trailing_slash(options.base_url.value_or(
                    known.value_or(environment.find(kAnyServer).value_or("")))),
                Secret(environment.find(prefix + "_API_KEY").value_or(""))};
  RETURN_IF_ERROR(
      check_address(access.address, fmt::format("set {}_BASE_URL or give `base_url`", prefix)));
  RETURN_IF_ERROR(check_key(prefix + "_API_KEY", access.key));
  if (!options.base_url) {
    RETURN_IF_ERROR(
        files::check_same_source(environment, prefix + "_BASE_URL", prefix + "_API_KEY"));
  }
  HttpModelSetup setup = make_setup(row, rest.substr(slash + 1), std::move(access), options,
                                    "Authorization", "Bearer ");
  setup.endpoint.provider = fmt::format("openai-api/{}", rest.substr(0, slash));
  return make_http_model(client, make_openai_wire(dialect_of(row)), std::move(setup));
}

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
  const bool is_file =
      row->api == Api::Scripted || (row->api == Api::Embedded && embedded::is_path(file));
  if (!is_file) return name;
  std::error_code failed;
  const auto path = std::filesystem::absolute(file, failed);
  return failed ? name : name.substr(0, slash + 1) + path.lexically_normal().string();
}

Result<std::unique_ptr<Model>> make_model(const std::string& name, const ModelOptions& options,
                                          const files::Environment& environment,
                                          http::Client& client) {
  const std::size_t slash = name.find('/');
  const ProviderRow* row = find_provider(name.substr(0, slash));
  if (slash == std::string::npos || slash + 1 == name.size() || !row) {
    std::vector<std::string> known;
    for (const ProviderRow& provider : kProviders) known.emplace_back(provider.name);
    const auto near = near_matches(name.substr(0, slash), known);
    return fail(ErrorKind::Invalid,
                "\"{}\" is not of the form provider/model with a known provider{}; `personascope "
                "models` lists them",
                printable(shorten(name, 80)),
                near.empty() ? "" : fmt::format(" (did you mean {}/…?)", near.front()));
  }
  const std::string model = name.substr(slash + 1);
  switch (row->api) {
    case Api::Scripted:
      return load_scripted_model(model);
    case Api::Embedded:
      return make_embedded_model(model, options.embedded, environment, client.loop());
    case Api::NamedOpenAi:
      return make_named_model(*row, model, options, environment, client);
    case Api::AzureOpenAi:
      return make_azure_model(*row, model, options, environment, client);
    case Api::Bedrock: {
      ASSIGN_OR_RETURN(auto setup,
                       make_bedrock_setup(bedrock_model_id(model), environment, options.base_url,
                                          options.timeouts, options.aws_region));
      return make_http_model(client, make_bedrock_wire(), std::move(setup));
    }
    case Api::Anthropic: {
      ASSIGN_OR_RETURN(Access access, find_access(*row, options, environment));
      auto setup = make_setup(*row, model, std::move(access), options, "x-api-key", "");
      setup.headers.push_back({"anthropic-version", std::string(kAnthropicVersion)});
      return make_http_model(client, make_anthropic_wire(), std::move(setup));
    }
    case Api::Vllm: {
      ASSIGN_OR_RETURN(Access access, find_access(*row, options, environment));
      return make_vllm_model(
          client, make_openai_wire(dialect_of(*row)),
          make_setup(*row, model, std::move(access), options, "Authorization", "Bearer "));
    }
    case Api::OpenAi:
      break;
  }
  ASSIGN_OR_RETURN(Access access, find_access(*row, options, environment));
  return make_http_model(
      client, make_openai_wire(dialect_of(*row)),
      make_setup(*row, model, std::move(access), options, "Authorization", "Bearer "));
}

}  // namespace personascope::llm
