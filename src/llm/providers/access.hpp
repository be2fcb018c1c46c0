// Where a provider is and with which key it is asked, by the settings.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/secret.hpp"
#include "files/environment.hpp"
#include "llm/model_options.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::llm {

// The address of servers for which there is none; a name with blanks cannot be set by hand.
inline constexpr std::string_view kAnyServer = "any server";

// The same for keys: set where models are made and never asked.
inline constexpr std::string_view kAnyKey = "any key";

// Fails as Misconfigured if the key cannot be sent as it is: most often it was pasted or read from
// a file with its line end.
Result<void> check_key(const std::string& variable, const Secret& key);

struct KeyFound {
  std::string variable;  // empty if there is no key
  Secret key;
};
KeyFound find_key(const ProviderRow& row, const files::Environment& settings);

// Without a slash at its end; may hold a password. Empty if there is none.
std::string find_base_url(const ProviderRow& row, const ModelOptions& options,
                          const files::Environment& settings);

// "my-server" of "my-server/model" as it begins its variables: MY_SERVER.
std::string variable_prefix(const std::string& rest);

struct Access {
  std::string address;
  Secret key;
};

// Fails as Unauthorized without a key that is needed, as Misconfigured if the key cannot be sent,
// and as Invalid if the address is none.
Result<Access> find_access(const ProviderRow& row, const ModelOptions& options,
                           const files::Environment& settings);
// Of "openai-api/<name>/<model>", which reads <NAME>_API_KEY and <NAME>_BASE_URL; `rest` is
// "<name>/<model>".
Result<Access> find_named_access(const std::string& rest, const ModelOptions& options,
                                 const files::Environment& settings);

}  // namespace personascope::llm
