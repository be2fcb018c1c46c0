#include "eval/persona_bench/answering.hpp"

#include "base/text.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr int kLongestAnswer = 500;

}  // namespace

Answer make_unanswered(const Error& error) {
  Answer answer;
  answer.refused = error.kind == ErrorKind::Refused;
  answer.fault = error;
  return answer;
}

std::string thoughts_member(Mode mode) {
  if (mode == Mode::ChainOfThought || mode == Mode::DemographicSummary)
    return std::string(name_of(mode));
  return "";
}

Error too_long(std::size_t bytes) {
  return {ErrorKind::TooLarge, fmt::format("the answer has {} KB; at most {} KB are allowed",
                                           (bytes + 1023) >> 10, kLongestAnswerBytes >> 10)};
}

Json make_text_schema(const std::vector<std::string>& members, const llm::Model& model,
                      int longest) {
  Json properties = Json::object();
  for (const std::string& member : members) {
    properties[member] = {{"type", "string"}};
    if (llm::is_local(model)) properties[member]["maxLength"] = longest;
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", members},
          {"additionalProperties", false}};
}

Task<Result<Answer>> ask_for_answer(llm::AskChain& chain, llm::Model& model, std::string prompt,
                                    Mode mode, core::Sampling sampling, llm::Draw draw) {
  const std::string thoughts = thoughts_member(mode);
  std::vector<std::string> members;
  if (!thoughts.empty()) members.push_back(thoughts);
  members.emplace_back(kAnswerMember);
  core::Request request;
  request.messages.push_back({core::Role::User, std::move(prompt)});
  request.sampling = std::move(sampling);
  request.output = core::OutputSchema{"answer", make_text_schema(members, model, kLongestAnswer)};
  const Result<core::Reply> reply = co_await llm::ask_structured(
      chain, model, std::move(request), std::move(draw), llm::MemberOrder::AsRequired);
  if (!reply) {
    if (core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    co_return make_unanswered(reply.error());
  }
  Answer answer;
  answer.refused = core::is_refusal(*reply);
  answer.text = reply->text;
  if (answer.refused) co_return answer;
  const Result<Json> value = parse_json(reply->text);
  if (value) {
    answer.text = find_text(*value, kAnswerMember).value_or("");
    if (!thoughts.empty()) answer.thoughts = find_text(*value, thoughts).value_or("");
  }
  if (!value || trim(answer.text).empty())
    answer.fault = Error{ErrorKind::Unparsable, "the model gave an empty answer"};
  else if (answer.text.size() > kLongestAnswerBytes)
    answer.fault = too_long(answer.text.size());
  co_return answer;
}

}  // namespace personascope::eval::persona_bench
