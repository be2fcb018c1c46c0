// What a bot answers: the text at a place in its JSON, plain text, or a stream of either.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/reply.hpp"
#include "http/client.hpp"
#include "llm/providers/sse.hpp"

namespace personascope::llm {

// A place in a JSON value: a JSON pointer, "/reply/0/text", or names with dots, "reply.0.text". A
// number counts in a list, from the end if it is negative.
class BotPath {
 public:
  // Fails as Invalid on an empty step, more than 50 steps, or "~" in a pointer that is no escape.
  static Result<BotPath> parse(std::string_view text);

  // Null pointer if there is nothing, or null.
  const Json* find(const Json& value) const;
  // As it was written.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> steps_;
};

enum class BotReplyForm {
  Json,    // one value, with the answer at a place in it
  Text,    // the answer itself
  Events,  // server-sent events, with a piece of the answer in each
  Lines,   // lines of JSON, with a piece of the answer in each
};

enum class BotPieces { Add, Replace };

struct BotReplyRules {
  BotReplyForm form = BotReplyForm::Json;
  std::optional<BotPath> answer;  // none: the text itself
  std::optional<BotPath> error;   // what stands there, if anything, is a failure
  std::optional<BotPath> done;    // a stream without a true value there has broken off
  BotPieces pieces = BotPieces::Add;
  std::optional<BotPath> input_tokens;
  std::optional<BotPath> output_tokens;
};

// Reads one reply. A stream may arrive in any pieces.
class BotReplyReader {
 public:
  BotReplyReader(const BotReplyRules& rules, std::function<void(std::string_view)> on_text)
      : rules_(rules), on_text_(std::move(on_text)) {}

  // Bytes of a stream; `on_text`, if set, gets the text that they add.
  void feed(std::string_view bytes);
  // The reply of a 2xx answer. Fails with what the bot reports, or as Transient if there is no
  // answer at its place.
  Result<core::Reply> finish(const http::Response& response, std::string_view url);

 private:
  Result<void> read_value(const Json& value);
  void read_event(std::string_view data);
  Result<void> add_piece(const std::string& piece);
  void count_tokens(const Json& value);
  bool is_stream() const;

  const BotReplyRules& rules_;
  std::function<void(std::string_view)> on_text_;
  SseReader events_;
  std::string line_;
  core::Reply reply_;
  Result<void> state_;
  bool has_answer_ = false;
  bool is_done_ = false;
};

}  // namespace personascope::llm
