// The catalog: one row for each known provider.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "files/environment.hpp"
#include "llm/providers/openai.hpp"

namespace personascope::llm {

enum class Api {
  OpenAi,
  AzureOpenAi,
  NamedOpenAi,
  Vllm,
  Anthropic,
  Bedrock,
  Embedded,
  Scripted,
  Bot
};
enum class KeyNeed { Required, Optional, None };

// An OpenAI-compatible provider needs one more row and no code.
struct ProviderRow {
  std::string_view name;
  Api api;
  std::string_view base_url;  // where it is, unless a variable or an option says otherwise
  KeyNeed key_need;
  std::array<std::string_view, 2> key_variables;  // the first that is set counts
  std::string_view base_url_variable;
  std::string_view max_tokens_field;  // OpenAI-style APIs: what they call the limit
  bool output_schema;                 // holds answers to a JSON schema by itself
  bool logprobs;
  bool extra_sampling;       // OpenAI-style APIs: knows top_k and min_p
  std::string_view example;  // a model's name, for messages and help
  std::string_view seed_field = "seed";
  bool stream_options = true;              // OpenAI-style APIs: knows stream_options
  bool likelihood = false;                 // reads how likely a given text is
  EffortField effort = EffortField::None;  // OpenAI-style APIs
};

std::span<const ProviderRow> providers();
const ProviderRow* find_provider(std::string_view name);

// Whether the provider could be used now: its key, if it needs one, is there.
struct ProviderState {
  bool ready = false;
  std::string key_variable;  // the one that is set; empty if none
  std::string base_url;      // without credentials
  std::string missing;       // what to set, if not ready
};
ProviderState state_of(const ProviderRow& row, const files::Environment& environment);

// Which key a model of that name would be sent.
struct KeyUse {
  std::string key;  // what it is called: the variable it is in
  // Where it goes by the user's own settings or the bot's file, without credentials.
  std::string base_url;
};
// Nothing if no key is set, or none is needed. A bot's file is read for it.
std::optional<KeyUse> find_key_use(const std::string& model, const files::Environment& environment);

// The environment with a placeholder for every key that a provider lacks: for models that are made
// and never asked.
files::Environment fill_in_keys(files::Environment environment);
// For every missing address too. What such models are asked has other keys in the journal, which
// know the address.
files::Environment fill_in_access(files::Environment environment);

// The name with the file in it made absolute, for models that are files: the name then means the
// same in any folder. Other names stay as they are.
std::string make_absolute_name(const std::string& name);

}  // namespace personascope::llm
