// A bot file: how a bot with an API of its own is asked. docs/bots.md has the form and examples.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/secret.hpp"
#include "files/environment.hpp"
#include "llm/providers/bot_reply.hpp"
#include "llm/providers/bot_template.hpp"

namespace personascope::llm {

// One request to a bot's server.
struct BotRequest {
  std::string method = "POST";
  BotText url;
  std::vector<std::pair<std::string, BotText>> headers;
  std::optional<BotBody> body;

  bool uses(std::string_view placeholder) const;
};

// How the turns in {history} and {messages} are written.
struct BotTurns {
  std::string role = "role";
  std::string text = "content";
  std::string user = "user";
  std::string assistant = "assistant";
  std::string system = "system";
};

// Where the system message goes if the file has neither {system} nor {messages}.
enum class BotSystem { FirstMessage, LeaveOut };

struct BotFile {
  BotRequest ask;
  BotReplyRules reply;
  BotTurns turns;
  BotSystem system = BotSystem::FirstMessage;
  std::optional<BotRequest> open;
  std::optional<BotPath> session_id;  // in the answer to `open`
  std::optional<BotRequest> close;

  std::string origin;  // scheme, host and port of the URL, without credentials
  std::string hash;    // SHA-256 of the file's bytes
  std::vector<Secret> secrets;
  std::vector<std::string> keys;  // the variables whose values are the secrets

  // Whether the server keeps the conversation under a session's id.
  bool has_session() const;
  // Whether a request brings the earlier turns along.
  bool brings_history() const { return ask.uses("history") || ask.uses("messages"); }
  bool brings_system() const { return ask.uses("system") || ask.uses("messages"); }
};

// `name` is what messages call the text. Nothing is sent. Fails as Invalid, naming the member, and
// as Misconfigured if a variable is missing, or if the address comes from a `.env` file and a key
// does not.
Result<BotFile> parse_bot_file(std::string_view text, const std::string& name,
                               const files::Environment& environment);

}  // namespace personascope::llm
