#include "llm/providers/bot_reply.hpp"

#include <algorithm>

#include "base/secret.hpp"
#include "base/text.hpp"
#include "llm/providers/http_error.hpp"

namespace personascope::llm {
namespace {

constexpr std::size_t kMostPathSteps = 50;
constexpr std::size_t kLongestBotExcerpt = 120;
constexpr std::int64_t kMostTokens = 1'000'000'000'000;

// "~1" is a slash and "~0" a tilde in a JSON pointer.
Result<std::string> unescape_step(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] != '~') {
      text += step[i];
      continue;
    }
    const char code = i + 1 < step.size() ? step[i + 1] : '\0';
    if (code != '0' && code != '1')
      return fail(ErrorKind::Invalid, "\"~\" in a JSON pointer is written ~0");
    text += code == '0' ? '~' : '/';
    ++i;
  }
  return text;
}

const Json* find_step(const Json& value, const std::string& step) {
  if (value.is_object()) return find_member(value, step);
  const auto index = find_integer_in(step);
  if (!value.is_array() || !index) return nullptr;
  const auto size = static_cast<long long>(value.size());
  const long long place = *index < 0 ? size + *index : *index;
  return place >= 0 && place < size ? &value[static_cast<std::size_t>(place)] : nullptr;
}

bool is_true(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  return !value.is_number() || value != 0;
}

std::string excerpt_of(std::string_view text) {
  return printable(shorten(make_utf8(trim(text).substr(0, 1024)), kLongestBotExcerpt));
}

}  // namespace

Result<BotPath> BotPath::parse(std::string_view text) {
  BotPath path;
  path.text_ = text;
  const bool is_pointer = text.starts_with('/');
  for (const std::string_view step : is_pointer ? split(text.substr(1), '/') : split(text, '.')) {
    if (step.empty() && !is_pointer)
      return fail(ErrorKind::Invalid, "\"{}\" has an empty step", printable(shorten(text, 80)));
    path.steps_.emplace_back(step);
    if (is_pointer) {
      ASSIGN_OR_RETURN(path.steps_.back(), unescape_step(step));
    }
  }
  if (path.steps_.size() > kMostPathSteps)
    return fail(ErrorKind::Invalid, "a place has at most {} steps", kMostPathSteps);
  return path;
}

const Json* BotPath::find(const Json& value) const {
  const Json* place = &value;
  for (const std::string& step : steps_) {
    place = find_step(*place, step);
    if (!place) return nullptr;
  }
  return place->is_null() ? nullptr : place;
}

bool BotReplyReader::is_stream() const {
  return rules_.form == BotReplyForm::Events || rules_.form == BotReplyForm::Lines;
}

void BotReplyReader::feed(std::string_view bytes) {
  const auto on_event = [this](std::string_view data) { read_event(data); };
  if (rules_.form == BotReplyForm::Events) events_.feed(bytes, on_event);
  if (rules_.form != BotReplyForm::Lines) return;
  for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos;) {
    line_ += bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    read_event(line_);
    line_.clear();
  }
  line_ += bytes;
}

void BotReplyReader::read_event(std::string_view data) {
  if (!state_ || trim(data).empty() || trim(data) == "[DONE]") return;
  const std::string text = make_utf8(data);
  auto value = parse_json(text);
  if (value) {
    state_ = read_value(*value);
  } else if (rules_.answer) {
    state_ = fail(ErrorKind::Transient, "the bot's stream contains data that is not JSON: {}",
                  excerpt_of(text));
  } else {
    state_ = add_piece(text);
  }
}

Result<void> BotReplyReader::read_value(const Json& value) {
  if (const Json* error = rules_.error ? rules_.error->find(value) : nullptr)
    return std::unexpected(read_reported_error(*error));
  if (const Json* done = rules_.done ? rules_.done->find(value) : nullptr; done && is_true(*done))
    is_done_ = true;
  count_tokens(value);
  if (!rules_.answer) return add_piece(value.is_string() ? value.get<std::string>() : "");
  const Json* answer = rules_.answer->find(value);
  if (!answer) return {};
  if (!answer->is_string())
    return fail(ErrorKind::Transient, "what the bot sent at \"{}\" is not text",
                printable(shorten(rules_.answer->text(), 80)));
  return add_piece(answer->get<std::string>());
}

Result<void> BotReplyReader::add_piece(const std::string& piece) {
  has_answer_ = true;
  if (rules_.pieces == BotPieces::Add) {
    if (on_text_ && !piece.empty()) on_text_(piece);
    reply_.text += piece;
    return {};
  }
  const bool goes_on = std::string_view(piece).starts_with(reply_.text);
  if (on_text_ && goes_on && piece.size() > reply_.text.size())
    on_text_(std::string_view(piece).substr(reply_.text.size()));
  reply_.text = piece;
  return {};
}

void BotReplyReader::count_tokens(const Json& value) {
  const auto read = [&](const std::optional<BotPath>& path, std::optional<std::int64_t>& count) {
    const Json* number = path ? path->find(value) : nullptr;
    if (!number || !number->is_number_unsigned()) return;
    if (number->get<std::uint64_t>() <= kMostTokens) count = number->get<std::int64_t>();
  };
  read(rules_.input_tokens, reply_.usage.input_tokens);
  read(rules_.output_tokens, reply_.usage.output_tokens);
}

Result<core::Reply> BotReplyReader::finish(const http::Response& response, std::string_view url) {
  if (response.status < 200 || response.status >= 300)
    return std::unexpected(read_http_error(response.status, response.body, url));
  if (rules_.form == BotReplyForm::Text) {
    const auto type = http::find_header(response, "content-type");
    if (type && type->starts_with("text/html"))
      return fail(ErrorKind::Transient, "the bot answered with a web page: {}",
                  excerpt_of(response.body));
    RETURN_IF_ERROR(add_piece(make_utf8(response.body)));
  } else if (is_stream()) {
    feed("\n\n");  // the last event may lack its end
    RETURN_IF_ERROR(state_);
    if (rules_.done && !is_done_)
      return fail(ErrorKind::Transient, "the bot's stream ended too early");
  } else {
    ASSIGN_OR_RETURN(const Json value, read_json(response, url));
    RETURN_IF_ERROR(read_value(value));
    const Json* error = has_answer_ ? nullptr : find_member(value, "error");
    if (error) return std::unexpected(read_reported_error(*error));
  }
  if (!has_answer_)
    return fail(ErrorKind::Transient, "the bot's answer has no text{}: {}",
                rules_.answer
                    ? fmt::format(" at \"{}\"", printable(shorten(rules_.answer->text(), 80)))
                    : "",
                excerpt_of(response.body));
  reply_.finish = core::FinishReason::Stop;
  return std::move(reply_);
}

}  // namespace personascope::llm
