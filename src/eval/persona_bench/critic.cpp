#include "eval/persona_bench/critic.hpp"

#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr const char* kVerdictMember = "needs_revision";
constexpr int kLongestCritique = 200;

Json make_critique_schema(const llm::Model& model) {
  Json schema = make_text_schema(
      {"chain_of_thought", "personalization_critic", "helpfulness_critic", "conclusion"}, model,
      kLongestCritique);
  schema["properties"][kVerdictMember] = {{"type", "boolean"}};
  schema["required"].push_back(kVerdictMember);
  return schema;
}

}  // namespace

core::Verdict read_critique(const Result<core::Reply>& reply) {
  if (!reply) {
    return reply.error().kind == ErrorKind::Refused ? core::make_refusal(reply.error().message)
                                                    : core::make_failure(reply.error());
  }
  if (core::is_refusal(*reply)) return core::make_refusal(reply->text);
  const Result<Json> value = llm::find_json(reply->text);
  const Json* verdict = value ? find_member(*value, kVerdictMember) : nullptr;
  if (!verdict || !verdict->is_boolean())
    return core::make_failure({ErrorKind::Unparsable, "the critic gave no verdict"}, reply->text);
  return core::make_score(verdict->get<bool>() ? 0 : 1, reply->text);
}

Task<Result<core::Verdict>> Critic::judge(llm::AskChain& chain, std::string id, std::string persona,
                                          std::string question, const Answer& answer) const {
  if (answer.refused) co_return core::make_refusal(answer.text);
  if (answer.fault) co_return core::make_failure(*answer.fault);
  judge::Fields fields;
  fields["persona"] = judge::break_markers(prompt_, persona);
  fields["question"] = judge::break_markers(prompt_, question);
  fields["answer"] = judge::break_markers(prompt_, answer.text);
  core::Request request;
  request.messages.push_back({core::Role::User, judge::render_prompt(prompt_, fields)});
  request.sampling.temperature = 0;
  request.sampling.max_tokens = max_tokens_;
  request.output = core::OutputSchema{"critique", make_critique_schema(model_)};
  llm::Draw draw;
  draw.item = std::move(id);
  draw.role = llm::kJudgeRole;
  const Result<core::Reply> reply = co_await llm::ask_structured(
      chain, model_, std::move(request), std::move(draw), llm::MemberOrder::AsRequired);
  if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
  co_return read_critique(reply);
}

}  // namespace personascope::eval::persona_bench
