// The sessions that a bot's server keeps and that wait for their conversation to go on.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/message.hpp"

namespace personascope::llm {

class BotSessions {
 public:
  // Takes out the session in which exactly these turns have been said, if one waits.
  std::optional<std::string> take(const std::vector<core::Message>& turns);
  // Keeps a session in which these turns have been said. Returns the oldest one that it must give
  // up for it, if there are too many.
  std::optional<std::string> keep(const std::vector<core::Message>& turns, std::string id);
  // All that wait; none is left.
  std::vector<std::string> take_all();

 private:
  std::deque<std::pair<std::string, std::string>> waiting_;  // a hash of the turns, and the id
};

// An id that no other conversation has.
std::string make_session_id();

}  // namespace personascope::llm
