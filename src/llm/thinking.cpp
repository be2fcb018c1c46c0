#include "llm/thinking.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace personascope::llm {
namespace {

constexpr std::string_view kOpen = "<think>";
constexpr std::string_view kClose = "</think>";
constexpr std::int64_t kLeastRoom = 1024;  // that Anthropic accepts
constexpr std::string_view kBlanks = " \t\r\n";

std::int64_t room_of(std::string_view effort) {
  if (effort == "none") return 0;
  if (effort == "medium") return 4096;
  if (effort == "high") return 16384;
  return kLeastRoom;  // minimal, low
}

// The tokens that lie wholly in the first `bytes` of the text are not the answer's.
void drop_tokens(std::vector<core::TokenLogprobs>& tokens, std::size_t bytes) {
  std::size_t read = 0;
  auto token = tokens.begin();
  for (; token != tokens.end(); ++token) {
    read += token->chosen.token.size();
    if (read > bytes) break;
  }
  tokens.erase(tokens.begin(), token);
}

}  // namespace

std::int64_t thinking_room(const core::Request& request) {
  if (request.thinking.budget)
    return *request.thinking.budget == 0 ? 0 : std::max(*request.thinking.budget, kLeastRoom);
  return request.thinking.effort ? room_of(*request.thinking.effort) : 0;
}

bool wants_thinking(const core::Request& request) {
  return thinking_room(request) > 0 && request.thinking.effort != "none";
}

void add_thinking(core::Request& request, const core::Thinking& wanted) {
  if (core::is_reading(request)) return;
  if (!request.thinking.effort) request.thinking.effort = wanted.effort;
  if (!request.thinking.budget) request.thinking.budget = wanted.budget;
}

void split_thinking(core::Reply& reply) {
  const std::size_t start = reply.text.find_first_not_of(kBlanks);
  if (start == std::string::npos) return;
  const bool is_opened = std::string_view(reply.text).substr(start).starts_with(kOpen);
  const std::size_t first = is_opened ? start + kOpen.size() : 0;
  const std::size_t close = reply.text.find(kClose, first);
  if (!is_opened && (close == std::string::npos || reply.text.find(kOpen) < close)) return;
  if (!reply.thinking.empty()) reply.thinking += "\n";
  reply.thinking +=
      trim(std::string_view(reply.text)
               .substr(first, close == std::string::npos ? std::string::npos : close - first));
  std::size_t answer = reply.text.size();
  if (close != std::string::npos)
    answer = std::min(reply.text.find_first_not_of(kBlanks, close + kClose.size()), answer);
  drop_tokens(reply.logprobs, answer);
  reply.text.erase(0, answer);
}

std::string ThinkingFilter::feed(std::string_view piece) {
  if (state_ == State::Answer) return std::string(piece);
  held_ += piece;
  if (state_ == State::Start) {
    const std::size_t start = held_.find_first_not_of(kBlanks);
    if (start == std::string::npos) return "";
    const std::string_view text = std::string_view(held_).substr(start);
    if (text.starts_with(kOpen)) {
      held_.erase(0, start + kOpen.size());
      state_ = State::Thinking;
    } else if (!kOpen.starts_with(text)) {
      state_ = State::Answer;
      return std::exchange(held_, {});
    }
  }
  if (state_ == State::Thinking) {
    const std::size_t close = held_.find(kClose);
    if (close == std::string::npos) {
      // Only what may be the beginning of the mark is of any further use.
      if (held_.size() > kClose.size()) held_.erase(0, held_.size() - kClose.size());
      return "";
    }
    held_.erase(0, close + kClose.size());
    state_ = State::Gap;
  }
  if (state_ == State::Gap) {
    const std::size_t answer = held_.find_first_not_of(kBlanks);
    if (answer == std::string::npos) return "";
    held_.erase(0, answer);
    state_ = State::Answer;
    return std::exchange(held_, {});
  }
  return "";
}

}  // namespace personascope::llm
