#include "llm/providers/bot_model.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/all.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "llm/providers/bot_sessions.hpp"
#include "llm/providers/http_error.hpp"
#include "llm/providers/rate_headers.hpp"
#include "llm/thinking.hpp"

namespace personascope::llm {
namespace {

constexpr std::size_t kLargestBotFile = 1u << 20;
constexpr std::size_t kLongestSessionId = 1024;
constexpr milliseconds kClosing{5000};

// What a request says, as a bot takes it.
struct BotConversation {
  std::string system;
  std::vector<core::Message> turns;  // the last is the user's message
};

Result<BotConversation> read_conversation(const core::Request& request, const BotFile& file) {
  BotConversation talk;
  for (const core::Message& message : request.messages) {
    if (message.role != core::Role::System) {
      talk.turns.push_back(message);
      continue;
    }
    if (!talk.system.empty()) talk.system += "\n\n";
    talk.system += message.content;
  }
  if (talk.turns.empty()) talk.turns.push_back({core::Role::User, ""});
  if (talk.turns.back().role != core::Role::User)
    return fail(ErrorKind::Unsupported, "a bot answers messages of the user only");
  if (talk.turns.size() > 1 && !file.brings_history() && !file.has_session())
    return fail(ErrorKind::Misconfigured,
                "the bot file has neither {{history}} nor {{messages}} nor {{session}}, so the bot "
                "cannot carry on a dialogue");
  if (talk.system.empty() || file.brings_system() || file.system == BotSystem::LeaveOut)
    return talk;
  const auto first = std::ranges::find(talk.turns, core::Role::User, &core::Message::role);
  first->content =
      trim(first->content).empty() ? talk.system : talk.system + "\n\n" + first->content;
  return talk;
}

Json render_turn(const BotTurns& words, core::Role role, const std::string& text) {
  const std::string& name = role == core::Role::User        ? words.user
                            : role == core::Role::Assistant ? words.assistant
                                                            : words.system;
  return {{words.role, name}, {words.text, text}};
}

// The values for the turn at `place`, of which those before it are the history.
BotValues make_values(const BotConversation& talk, std::size_t place, const BotFile& file,
                      const core::Sampling& sampling, const std::string& session) {
  BotValues values;
  values["message"] = talk.turns[place].content;
  values["system"] = talk.system;
  values["session"] = session;
  Json history = Json::array();
  for (std::size_t i = 0; i < place; ++i)
    history.push_back(render_turn(file.turns, talk.turns[i].role, talk.turns[i].content));
  Json messages = Json::array();
  if (!talk.system.empty() && file.system != BotSystem::LeaveOut)
    messages.push_back(render_turn(file.turns, core::Role::System, talk.system));
  messages.insert(messages.end(), history.begin(), history.end());
  messages.push_back(render_turn(file.turns, core::Role::User, talk.turns[place].content));
  values["history"] = std::move(history);
  values["messages"] = std::move(messages);
  if (sampling.temperature) values["temperature"] = *sampling.temperature;
  if (sampling.max_tokens) values["max_tokens"] = *sampling.max_tokens;
  return values;
}

class BotModel : public Model {
 public:
  BotModel(http::Client& client, BotFile file, const std::string& name,
           const http::Timeouts& timeouts)
      : client_(client), file_(std::move(file)), timeouts_(timeouts) {
    endpoint_ = {"http", file_.origin, name, file_.hash};
  }

  const Endpoint& endpoint() const override { return endpoint_; }
  Features features() const override {
    Features features;
    features.dialogue = file_.brings_history() || file_.has_session();
    return features;
  }
  Json describe() const override { return {{"sha256", file_.hash}}; }

  Task<Attempt> ask(const core::Request& request, Delivery delivery) override {
    Attempt attempt;
    const TimePoint deadline =
        SteadyClock::now() + std::min<milliseconds>(delivery.time_left, std::chrono::hours(24 * 7));
    attempt.reply = co_await converse(request, delivery, deadline, attempt);
    if (!attempt.reply) {
      attempt.reply.error().message = redact(attempt.reply.error().message, file_.secrets);
      co_return attempt;
    }
    attempt.reply->model = endpoint_.model;
    attempt.reply->text = redact(attempt.reply->text, file_.secrets);
    co_return attempt;
  }

  Task<void> close() override {
    std::vector<Task<bool>> closing;
    for (std::string& id : sessions_.take_all()) closing.push_back(end_session(std::move(id)));
    if (!closing.empty()) co_await all(std::move(closing));
  }

 private:
  Task<Result<core::Reply>> converse(const core::Request& request, const Delivery& delivery,
                                     TimePoint deadline, Attempt& attempt) {
    CO_ASSIGN_OR_RETURN(BotConversation talk, read_conversation(request, file_));
    const std::size_t last = talk.turns.size() - 1;
    std::string session;
    std::size_t next = last;
    if (file_.has_session()) {
      const std::vector<core::Message> earlier(talk.turns.begin(), talk.turns.end() - 1);
      auto known = earlier.empty() ? std::nullopt : sessions_.take(with_system(talk, earlier));
      if (known) {
        session = std::move(*known);
      } else {
        CO_ASSIGN_OR_RETURN(session, co_await open_session(talk, delivery, deadline, attempt));
        if (!file_.brings_history()) next = 0;
      }
    }
    Result<core::Reply> reply;
    for (; next <= last; ++next) {
      if (talk.turns[next].role != core::Role::User) continue;
      const bool is_last = next == last;
      const BotValues values = make_values(talk, next, file_, request.sampling, session);
      reply = co_await send(values, delivery, deadline, is_last, attempt);
      if (!reply) break;
    }
    if (!file_.has_session()) co_return reply;
    // What has gone wrong may have left the session in any state.
    if (!reply) {
      co_await end_session(std::move(session));
      co_return reply;
    }
    // As the next request will have it.
    core::Reply shown = *reply;
    shown.text = redact(shown.text, file_.secrets);
    split_thinking(shown);
    talk.turns.push_back({core::Role::Assistant, std::move(shown.text)});
    if (auto oldest = sessions_.keep(with_system(talk, talk.turns), std::move(session)))
      co_await end_session(std::move(*oldest));
    co_return reply;
  }

  // Conversations under different system messages are different ones.
  static std::vector<core::Message> with_system(const BotConversation& talk,
                                                std::vector<core::Message> turns) {
    turns.insert(turns.begin(), {core::Role::System, talk.system});
    return turns;
  }

  Task<Result<std::string>> open_session(const BotConversation& talk, const Delivery& delivery,
                                         TimePoint deadline, Attempt& attempt) {
    if (!file_.open) co_return make_session_id();
    BotValues values;
    values["system"] = talk.system;
    CO_ASSIGN_OR_RETURN(http::Request message, write(*file_.open, values, deadline));
    const std::string url = without_query(message.url);
    CO_ASSIGN_OR_RETURN(const auto response,
                        co_await client_.send(std::move(message), delivery.cancel));
    note(response, attempt);
    CO_ASSIGN_OR_RETURN(const Json body, read_json(response, url));
    const Json* id = file_.session_id->find(body);
    std::string text;
    if (id && id->is_string()) text = id->get<std::string>();
    if (id && id->is_number_integer()) text = render_json(*id);
    if (text.empty() || text.size() > kLongestSessionId || printable(text) != text)
      co_return fail(ErrorKind::Transient, "the bot's server gave no session id at \"{}\"",
                     printable(shorten(file_.session_id->text(), 80)));
    co_return text;
  }

  // Whether it was closed; nobody need know if not.
  Task<bool> end_session(std::string id) {
    if (!file_.close) co_return true;
    BotValues values;
    values["session"] = id;
    auto message = write(*file_.close, values, SteadyClock::now() + kClosing);
    if (!message) co_return false;
    const auto response = co_await client_.send(std::move(*message), nullptr);
    co_return response.has_value();
  }

  Task<Result<core::Reply>> send(const BotValues& values, const Delivery& delivery,
                                 TimePoint deadline, bool is_shown, Attempt& attempt) {
    CO_ASSIGN_OR_RETURN(http::Request message, write(file_.ask, values, deadline));
    const std::string url = without_query(message.url);
    std::function<void(std::string_view)> on_text;
    Redactor redactor(file_.secrets);  // a secret may be spread over several pieces of text
    if (delivery.on_text && is_shown)
      on_text = [&](std::string_view piece) {
        if (const std::string shown = redactor.feed(piece); !shown.empty()) delivery.on_text(shown);
      };
    BotReplyReader reader(file_.reply, on_text);
    message.on_data = [&reader](std::string_view bytes) { reader.feed(bytes); };
    CO_ASSIGN_OR_RETURN(const auto response,
                        co_await client_.send(std::move(message), delivery.cancel));
    note(response, attempt);
    co_return reader.finish(response, url);
  }

  Result<http::Request> write(const BotRequest& request, const BotValues& values,
                              TimePoint deadline) const {
    http::Request message;
    message.method = request.method;
    message.url = request.url.fill(values);
    message.secrets = file_.secrets;
    for (const auto& [name, text] : request.headers)
      message.headers.push_back({name, text.fill(values)});
    if (request.body) {
      message.body = render_json(request.body->fill(values));
      if (std::ranges::none_of(message.headers, [](const http::Header& header) {
            return lower(header.name) == "content-type";
          }))
        message.headers.push_back({"Content-Type", "application/json"});
    }
    message.timeouts = timeouts_;
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - SteadyClock::now());
    if (left <= milliseconds(0)) return fail(ErrorKind::Timeout, "there was no time left");
    message.timeouts.total = std::min(message.timeouts.total, left);
    return message;
  }

  static void note(const http::Response& response, Attempt& attempt) {
    attempt.pace = read_rate_headers(response, std::chrono::system_clock::now());
    attempt.is_unavailable = response.status >= 502 && response.status <= 504;
  }

  // For messages: what follows may be what the user said.
  static std::string without_query(const std::string& url) { return url.substr(0, url.find('?')); }

  http::Client& client_;
  BotFile file_;
  http::Timeouts timeouts_;
  Endpoint endpoint_;
  BotSessions sessions_;
};

}  // namespace

std::unique_ptr<Model> make_bot_model(http::Client& client, BotFile file, const std::string& name,
                                      const http::Timeouts& timeouts) {
  return std::make_unique<BotModel>(client, std::move(file), name, timeouts);
}

Result<BotFile> load_bot_file(const std::string& path, const files::Environment& environment) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, kLargestBotFile));
  return parse_bot_file(text, path, environment);
}

}  // namespace personascope::llm
