#include "eval/personalens/dialogue.hpp"

#include "base/text.hpp"
#include "eval/fill.hpp"

namespace personascope::eval::personalens {
namespace {

using core::Message;
using core::Role;

constexpr std::string_view kMark = "TERMINATE";
constexpr std::size_t kLongestTurn = 64'000;  // bytes; more is a model that runs wild

// The history as the published program writes it into its prompts.
std::string render_history(const std::vector<Message>& turns, const char* user,
                           const char* assistant) {
  std::string text;
  for (const Message& turn : turns)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n",
                        turn.role == Role::User ? user : assistant, turn.content);
  return text;
}

core::Request make_request(double temperature, std::int64_t max_tokens) {
  core::Request request;
  request.sampling.temperature = temperature;
  request.sampling.max_tokens = max_tokens;
  return request;
}

// One side's next request.
class Speaker {
 public:
  Speaker(const Conversing& conversing, const Scenario& scenario, const ScenarioTexts& texts,
          const Knowledge& knowledge)
      : conversing_(conversing), texts_(texts), knowledge_(knowledge), span_(scenario.task.span) {}

  core::Request ask_user(const std::vector<Message>& turns) const {
    core::Request request = make_request(conversing_.user_temperature, conversing_.max_tokens);
    const Words& words = conversing_.words;
    if (conversing_.protocol == Protocol::Reference) {
      const char* system = span_ == Span::Multi ? "user-multi-system" : "user-system";
      const std::string history = render_history(turns, "[USER]", "[ASSISTANT]");
      request.messages.push_back({Role::System, words.reference.find(system)->second});
      request.messages.push_back(
          {Role::User, render_reference_user(words, texts_, span_, history)});
      return request;
    }
    const Values values{{"demographics", texts_.demographics},
                        {"domain", texts_.domains},
                        {"domains", texts_.domains},
                        {"affinities", texts_.affinities},
                        {"summary", texts_.summary},
                        {"situation", texts_.situation},
                        {"task", texts_.task}};
    request.messages.push_back(
        {Role::System,
         fill(span_ == Span::Multi ? words.user_system_multi : words.user_system, values)});
    request.messages.push_back({Role::User, words.user_opening});
    for (const Message& turn : turns)
      request.messages.push_back(
          {turn.role == Role::User ? Role::Assistant : Role::User, turn.content});
    return request;
  }

  core::Request ask_assistant(const std::vector<Message>& turns) const {
    core::Request request = make_request(conversing_.assistant_temperature, conversing_.max_tokens);
    const Words& words = conversing_.words;
    if (conversing_.protocol == Protocol::Reference) {
      const std::string history = render_history(turns, "User", "Assistant");
      request.messages.push_back({Role::System, find_assistant_system(words, conversing_.family)});
      request.messages.push_back(
          {Role::User,
           render_reference_assistant(words, texts_, knowledge_, conversing_.family, history)});
      return request;
    }
    const std::string known = render_known(words, texts_, knowledge_);
    request.messages.push_back(
        {Role::System,
         fill(span_ == Span::Multi ? words.assistant_system_multi : words.assistant_system,
              {{"known", known}})});
    request.messages.insert(request.messages.end(), turns.begin(), turns.end());
    return request;
  }

 private:
  const Conversing& conversing_;
  const ScenarioTexts& texts_;
  const Knowledge& knowledge_;
  Span span_;
};

void break_off(Dialogue& dialogue, const char* who, std::int64_t turn, ErrorKind kind,
               std::string_view what) {
  dialogue.ending = Ending::Broken;
  dialogue.refused = kind == ErrorKind::Refused;
  dialogue.fault = Error{kind, fmt::format("{}, turn {}: {}", who, turn + 1, what)};
}

// Takes the reply as a turn. False if the dialogue breaks here.
bool take_reply(Dialogue& dialogue, const Result<core::Reply>& reply, Role role, std::int64_t turn,
                const Conversing& conversing) {
  const char* who = role == Role::User ? "the simulated user" : "the assistant";
  if (!reply) {
    break_off(dialogue, who, turn, reply.error().kind, reply.error().message);
    return false;
  }
  if (reply->text.size() > kLongestTurn) {
    break_off(
        dialogue, who, turn, ErrorKind::TooLarge,
        fmt::format("a message of {} bytes; {} are allowed", reply->text.size(), kLongestTurn));
    return false;
  }
  // The published program goes on with an empty message; no chat interface takes one.
  const bool is_empty = trim(reply->text).empty();
  if (is_empty && core::is_refusal(*reply)) {
    break_off(dialogue, who, turn, ErrorKind::Refused, "it declined to answer");
    return false;
  }
  if (is_empty && conversing.protocol == Protocol::Chat) {
    break_off(dialogue, who, turn, ErrorKind::Unparsable, "an empty message");
    return false;
  }
  std::string_view text = reply->text;
  if (conversing.protocol == Protocol::Chat) {
    text = trim(text);
  } else if (role == Role::Assistant && conversing.family != "claude") {
    // The published program keeps blanks, but for those before a message of these models.
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r\f\v"), text.size()));
  }
  dialogue.turns.push_back({role, std::string(text)});
  return true;
}

// Takes the word that ends a dialogue out of the user's turn; whether it was there.
bool take_mark(Dialogue& dialogue) {
  std::string& text = dialogue.turns.back().content;
  const std::size_t at = text.find(kMark);
  if (at == std::string::npos) return false;
  const std::string rest = replace_all(text.substr(at), kMark, "");
  dialogue.mark_inside = rest.find_first_not_of(" \t\r\n.!*\"'`_") != std::string::npos;
  text = std::string(trim(replace_all(text, kMark, "")));
  return true;
}

}  // namespace

std::string_view name_of(Protocol protocol) {
  return protocol == Protocol::Chat ? "chat" : "reference";
}

std::string_view name_of(Ending ending) {
  switch (ending) {
    case Ending::Terminated:
      return "terminated";
    case Ending::Exhausted:
      return "exhausted";
    case Ending::Broken:
      return "broken";
    case Ending::Given:
      break;
  }
  return "given";
}

std::string render_conversation(const Dialogue& dialogue, std::size_t turns) {
  const std::size_t count = std::min(turns, dialogue.turns.size());
  const std::vector<Message> shown(dialogue.turns.begin(),
                                   dialogue.turns.begin() + static_cast<std::ptrdiff_t>(count));
  return render_history(shown, "[USER]", "[ASSISTANT]");
}

Task<Result<Dialogue>> converse(llm::AskChain& chain, const Conversing& conversing,
                                const Scenario& scenario, const ScenarioTexts& texts,
                                const Knowledge& knowledge, const std::string& item, int epoch) {
  const Speaker speaker(conversing, scenario, texts, knowledge);
  Dialogue dialogue;
  dialogue.ending = Ending::Exhausted;
  const bool as_published = conversing.protocol == Protocol::Reference;
  const std::int64_t last = as_published ? conversing.max_turns : conversing.max_turns - 1;
  for (std::int64_t turn = 0; turn <= last; ++turn) {
    core::Request to_user = speaker.ask_user(dialogue.turns);
    llm::Draw user_draw{
        .item = item, .role = std::string(llm::kUserRole), .epoch = epoch, .trial = 0};
    const Result<core::Reply> said =
        co_await chain.ask(conversing.user, std::move(to_user), std::move(user_draw));
    if (!said && core::is_unfinished(said.error())) co_return std::unexpected(said.error());
    if (!take_reply(dialogue, said, Role::User, turn, conversing)) break;
    bool ends = false;  // the published program does not look for the mark in the opening
    if (turn > 0 || !as_published) ends = take_mark(dialogue);
    if (ends) dialogue.ending = Ending::Terminated;
    if (!ends && as_published && turn == last) break;
    if (dialogue.turns.back().content.empty() && !as_published) {
      dialogue.turns.pop_back();  // nothing but the mark: there is nothing to answer
      if (turn == 0)
        break_off(dialogue, "the simulated user", turn, ErrorKind::Unparsable,
                  "it ended the dialogue before it had said anything");
      break;
    }
    core::Request to_assistant = speaker.ask_assistant(dialogue.turns);
    llm::Draw assistant_draw{
        .item = item, .role = std::string(llm::kModelRole), .epoch = epoch, .trial = 0};
    const Result<core::Reply> answered = co_await chain.ask(
        conversing.assistant, std::move(to_assistant), std::move(assistant_draw));
    if (!answered && core::is_unfinished(answered.error()))
      co_return std::unexpected(answered.error());
    if (!take_reply(dialogue, answered, Role::Assistant, turn, conversing)) break;
    if (ends) break;
  }
  co_return dialogue;
}

}  // namespace personascope::eval::personalens
