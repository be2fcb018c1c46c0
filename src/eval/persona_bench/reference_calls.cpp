#include "eval/persona_bench/reference_calls.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "eval/fill.hpp"
#include "eval/persona_bench/critic.hpp"
#include "files/python_repr.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr int kCriticTries = 3;
constexpr int kLongestText = 400;  // of models inside the program

// The text without its last character, as a slice up to -1 leaves it.
std::string cut_last(std::string text) {
  while (!text.empty()) {
    const auto last = static_cast<unsigned char>(text.back());
    text.pop_back();
    if ((last & 0xC0) != 0x80) break;  // not within a character any more
  }
  return text;
}

std::vector<std::string> answer_members(Mode mode) {
  std::vector<std::string> members{kAnswerMember};
  if (std::string thoughts = thoughts_member(mode); !thoughts.empty())
    members.push_back(std::move(thoughts));
  return members;
}

}  // namespace

std::string render_python_dict(const Persona& persona, const std::vector<std::string>& without) {
  std::string text;
  for (const auto& [name, value] : persona.attributes)
    if (std::ranges::find(without, name) == without.end())
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", files::render_python_repr(name),
                          files::render_python_repr(value));
  return "{" + text + "}";
}

std::vector<core::Message> ReferenceCalls::begin(Mode mode, const std::string& persona,
                                                 const std::string& question) const {
  std::string system = cut_last(fill_python(prompts.system.at(mode), {{"persona", persona}}));
  return {{core::Role::System, std::move(system)}, {core::Role::User, question}};
}

core::Request ReferenceCalls::make_request(const llm::Model& asked,
                                           std::vector<core::Message> messages) const {
  core::Request request;
  request.messages = std::move(messages);
  if (llm::is_local(asked)) request.sampling.max_tokens = max_tokens;
  return request;
}

Task<Result<Answer>> ReferenceCalls::answer(llm::AskChain& chain,
                                            std::vector<core::Message>& messages, Mode mode,
                                            std::string id, int draft) const {
  core::Request request = make_request(model, messages);
  if (sampling.temperature) request.sampling.temperature = sampling.temperature;
  if (sampling.max_tokens) request.sampling.max_tokens = sampling.max_tokens;
  llm::Draw draw;
  draw.item = id;
  draw.epoch = draft;
  draw.role = llm::kModelRole;
  const Result<core::Reply> reply = co_await chain.ask(model, std::move(request), std::move(draw));
  if (!reply) {
    if (core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    co_return make_unanswered(reply.error());
  }
  Answer answer;
  answer.text = reply->text;
  answer.refused = core::is_refusal(*reply);
  if (reply->text.size() > kLongestAnswerBytes) {
    answer.fault = too_long(reply->text.size());
    co_return answer;
  }
  core::Message said{core::Role::Assistant, reply->text};
  messages.push_back(std::move(said));
  core::Message told{core::Role::System, fill_python(prompts.extract, {{"output", reply->text}})};
  std::vector<core::Message> parsing;
  parsing.push_back(std::move(told));
  core::Request form = make_request(parser, std::move(parsing));
  form.output =
      core::OutputSchema{"answer", make_text_schema(answer_members(mode), parser, kLongestText)};
  llm::Draw form_draw;
  form_draw.item = std::move(id);
  form_draw.epoch = draft;
  form_draw.role = llm::kModelRole;
  const Result<core::Reply> formed =
      co_await llm::ask_structured(chain, parser, std::move(form), std::move(form_draw));
  if (!formed) {
    if (core::is_unfinished(formed.error())) co_return std::unexpected(formed.error());
    answer.fault = formed.error();
    co_return answer;
  }
  const Result<Json> value = parse_json(formed->text);
  const auto text = value ? find_text(*value, kAnswerMember) : std::nullopt;
  if (!text) {
    answer.fault =
        Error{ErrorKind::Unparsable, "the text could not be converted into the answer's form"};
    co_return answer;
  }
  answer.text = *text;
  answer.refused = false;  // what was taken out of it is what is judged
  answer.thoughts = find_text(*value, name_of(mode)).value_or("");
  // The conversation keeps what was taken out of the answer.
  messages.back().content = answer.text;
  co_return answer;
}

Task<Result<core::Verdict>> ReferenceCalls::rewrite(llm::AskChain& chain, std::string text,
                                                    llm::Draw draw) const {
  std::vector<core::Message> messages(2);
  messages[0] = {core::Role::System, prompts.rewrite_system};
  messages[1] = {core::Role::User,
                 fill_python(prompts.rewrite, {{"json_object", text}}) + prompts.critique_form};
  core::Request request = make_request(parser, std::move(messages));
  request.output = core::OutputSchema{"critique", make_critique_schema(parser)};
  const Result<core::Reply> reply =
      co_await llm::ask_structured(chain, parser, std::move(request), std::move(draw));
  if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
  co_return read_critique(reply);
}

Task<Result<core::Verdict>> ReferenceCalls::judge(llm::AskChain& chain, std::string question,
                                                  std::string answer, std::string persona,
                                                  std::string id, int draft) const {
  const std::string prompt =
      fill_python(prompts.critique,
                  {{"question", question}, {"answer", answer}, {"demographic", persona}}) +
      prompts.critique_form;
  core::Verdict verdict;
  for (int trial = 0; trial < kCriticTries; ++trial) {
    std::vector<core::Message> messages(1);
    messages[0] = {core::Role::User, prompt};
    core::Request request = make_request(critic, std::move(messages));
    llm::Draw draw;
    draw.item = id;
    draw.epoch = draft;
    draw.trial = trial;
    draw.role = llm::kJudgeRole;
    const llm::Draw same = draw;
    const Result<core::Reply> reply =
        co_await chain.ask(critic, std::move(request), std::move(draw));
    if (!reply) {
      if (core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
      verdict = core::make_failure(reply.error());
      continue;
    }
    Result<core::Verdict> read = co_await rewrite(chain, reply->text, same);
    if (!read) co_return read;
    verdict = std::move(*read);
    if (core::is_scored(verdict)) break;
  }
  co_return verdict;
}

}  // namespace personascope::eval::persona_bench
