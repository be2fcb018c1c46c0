#include "http/loopback/form.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/hash.hpp"
#include "http/loopback/schema_instance.hpp"

namespace personascope::http::loopback {
namespace {

constexpr std::array kForms{&kOpenAiForm, &kAnthropicForm, &kBedrockForm};

constexpr std::array<std::string_view, 16> kWords{
    "river",  "quiet",  "seven", "amber",   "market", "winter", "lantern", "bridge",
    "honest", "garden", "music", "harbour", "letter", "window", "copper",  "morning"};
constexpr std::size_t kAnswerWords = 8;

std::size_t count_tokens(std::string_view text) {
  return (text.size() + 3) / 4;
}

std::string make_text(const Digest& digest, const std::string& hex) {
  std::string text = "answer " + hex.substr(0, 8);
  for (std::size_t i = 0; i < kAnswerWords; ++i) {
    text += ' ';
    text += kWords[digest[i] % kWords.size()];
  }
  return text;
}

Result<void> append_text(const Json& content, std::string& text) {
  if (content.is_string()) {
    text += content.get_ref<const std::string&>();
    return {};
  }
  if (!content.is_array())
    return fail(ErrorKind::Invalid, "content must be text or a list of parts");
  for (const Json& part : content) {
    const Json* piece = find_member(part, "text");
    if (piece && piece->is_string()) text += piece->get_ref<const std::string&>();
  }
  return {};
}

}  // namespace

const Form* find_form(std::string_view path) {
  for (const Form* form : kForms)
    if (form->takes(path)) return form;
  return nullptr;
}

Answer make_answer(const Ask& ask, const Scenario& scenario) {
  const Digest digest = sha256(ask.model + '\n' + ask.prompt);
  const std::string hex = render_hex(digest);
  std::uint64_t seed = 0;
  std::memcpy(&seed, digest.data(), sizeof seed);

  Answer answer;
  answer.id = hex.substr(0, 24);
  answer.ending = scenario.ending;
  answer.text = make_text(digest, hex);
  if (scenario.ending == Ending::Length) answer.text.resize(answer.text.size() / 2);
  if (ask.schema) {
    answer.tool_input = make_instance(*ask.schema, seed);
    answer.text = render_json(*answer.tool_input);
  }
  if (scenario.say) {
    answer.text = *scenario.say;
    auto said = parse_json(answer.text);
    answer.tool_input = said && said->is_object() ? std::optional(std::move(*said)) : std::nullopt;
  }
  if (ask.tool.empty()) answer.tool_input.reset();
  if (scenario.ending == Ending::Refusal) answer.text = "I'm sorry, but I can't help with that.";
  if (scenario.ending == Ending::Filter) answer.text.clear();
  if (scenario.ending == Ending::Refusal || scenario.ending == Ending::Filter)
    answer.tool_input.reset();
  if (scenario.invalid_utf8) answer.text += kInvalidUtf8Mark;
  answer.prompt_tokens = count_tokens(ask.prompt);
  answer.completion_tokens = count_tokens(answer.text);
  return answer;
}

Result<void> add_message(const Json& message, Ask& ask) {
  const Json* content = find_member(message, "content");
  ask.prompt += find_text(message, "role").value_or("");
  ask.prompt += ": ";
  if (content) RETURN_IF_ERROR(append_text(*content, ask.prompt));
  ask.prompt += '\n';
  return {};
}

Result<void> add_messages(const Json& body, Ask& ask) {
  const Json* messages = find_member(body, "messages");
  if (!messages || !messages->is_array() || messages->empty())
    return fail(ErrorKind::Invalid, "messages: at least one message is required");
  for (const Json& message : *messages) {
    const std::size_t start = ask.prompt.size();
    RETURN_IF_ERROR(add_message(message, ask));
    const std::string role = find_text(message, "role").value_or("");
    if (role == "system" || role == "developer" || &message == &messages->back())
      ask.instructions.append(ask.prompt, start);
  }
  return {};
}

Result<void> add_system(const Json& body, Ask& ask) {
  const Json* system = find_member(body, "system");
  if (!system) return {};
  RETURN_IF_ERROR(append_text(*system, ask.prompt));
  ask.prompt += '\n';
  ask.instructions += ask.prompt;
  return {};
}

std::vector<std::string_view> split_tokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' ', 1), text.size());
    tokens.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return tokens;
}

LoopbackReply make_json_reply(int status, std::string body) {
  LoopbackReply reply;
  reply.status = status;
  reply.headers.emplace_back("Content-Type", "application/json");
  reply.body = std::move(body);
  return reply;
}

LoopbackReply make_json_reply(int status, const Json& body) {
  return make_json_reply(status, render_json(body));
}

LoopbackReply make_event_stream() {
  LoopbackReply reply;
  reply.headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-cache"}};
  return reply;
}

}  // namespace personascope::http::loopback
