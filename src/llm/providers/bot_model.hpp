// A bot with an API of its own as a model: its file says how it is asked.
//
// Where the bot's server keeps conversations, each has a session. A request that goes on where an
// earlier answer ended is sent in the session of that answer. If there is none any more (the run
// was interrupted), a new session is opened, and unless the bot gets the history with each message,
// the user's earlier messages are sent in it first.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "http/client.hpp"
#include "llm/model.hpp"
#include "llm/providers/bot_file.hpp"

namespace personascope::llm {

// `name` is what the model is called after "http/".
std::unique_ptr<Model> make_bot_model(http::Client& client, BotFile file, const std::string& name,
                                      const http::Timeouts& timeouts);

// Reads the file at `path`. Fails as NotFound if there is none, and as parse_bot_file does.
Result<BotFile> load_bot_file(const std::string& path, const files::Environment& environment);

}  // namespace personascope::llm
