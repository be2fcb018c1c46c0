#include "llm/providers/bot_sessions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace personascope::llm {
namespace {

constexpr std::size_t kMostWaiting = 4096;

// Evaluations may put a reply into the history without its outer blanks.
std::string hash_turns(const std::vector<core::Message>& turns) {
  Sha256 hash;
  for (const core::Message& turn : turns) {
    const std::string_view text = trim(turn.content);
    hash.update(fmt::format("{} {} ", core::name_of(turn.role), text.size()));
    hash.update(text);
  }
  return std::string(bytes_of(hash.digest()));
}

}  // namespace

std::optional<std::string> BotSessions::take(const std::vector<core::Message>& turns) {
  const auto place =
      std::ranges::find(waiting_, hash_turns(turns), &std::pair<std::string, std::string>::first);
  if (place == waiting_.end()) return std::nullopt;
  std::string id = std::move(place->second);
  waiting_.erase(place);
  return id;
}

std::optional<std::string> BotSessions::keep(const std::vector<core::Message>& turns,
                                             std::string id) {
  waiting_.emplace_back(hash_turns(turns), std::move(id));
  if (waiting_.size() <= kMostWaiting) return std::nullopt;
  std::string oldest = std::move(waiting_.front().second);
  waiting_.pop_front();
  return oldest;
}

std::vector<std::string> BotSessions::take_all() {
  std::vector<std::string> ids;
  for (auto& [hash, id] : waiting_) ids.push_back(std::move(id));
  waiting_.clear();
  return ids;
}

std::string make_session_id() {
  std::random_device device;  // no seed: ids of two runs must differ
  std::string id = "personascope";
  for (int i = 0; i < 4; ++i) id += fmt::format("-{:08x}", device());
  return id;
}

}  // namespace personascope::llm
