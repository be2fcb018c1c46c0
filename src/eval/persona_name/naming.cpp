#include "eval/persona_name/naming.hpp"

#include <fmt/format.h>

#include <numeric>

#include "judge/summary.hpp"
#include "stats/score_mean.hpp"

namespace personascope::eval::persona_name {
namespace {

constexpr std::string_view kRubric = R"(
id: persona-name
name: Gives its name
version: 1
asks: Does the answer give the name that the persona has?
scale: {"no": 0, "yes": 1}
criteria:
  "no": The answer gives no name, or a name that the persona does not have.
  "yes": The answer gives the persona's name, or a usual short form of it.
does_not_matter:
  - What else the answer says.
)";

}  // namespace

Result<std::unique_ptr<Naming>> Naming::create(NamingPlan plan, const FindModel& find_model) {
  std::unique_ptr<Naming> naming(new Naming(std::move(plan)));
  ASSIGN_OR_RETURN(naming->rubric_, judge::parse_rubric(kRubric, "persona-name.yaml", ""));
  ASSIGN_OR_RETURN(naming->model_, find_model(naming->plan_.model));
  ASSIGN_OR_RETURN(llm::Model * judge, find_model(naming->plan_.judge));
  ASSIGN_OR_RETURN(naming->judge_,
                   judge::Judge::create(*judge, naming->rubric_, judge::JudgeOptions{}));
  return naming;
}

core::Request Naming::make_request(const std::string& persona) const {
  core::Request request;
  request.messages.push_back(
      {core::Role::System, "Answer as this person would, in the first person.\n\n" + persona});
  request.messages.push_back({core::Role::User, plan_.question});
  request.sampling.max_tokens = plan_.max_tokens;
  return request;
}

std::vector<Forecast> Naming::forecast() const {
  Forecast answers{.model = plan_.model, .role = "model", .calls = items()};
  Forecast verdicts{.model = plan_.judge, .role = "judge", .calls = items()};
  for (const std::string& persona : plan_.personas) {
    answers.input_tokens += tokens_of(persona.size() + plan_.question.size());
    verdicts.input_tokens += tokens_of(persona.size() + kRubric.size()) + plan_.max_tokens;
  }
  answers.max_output_tokens = items() * plan_.max_tokens;
  verdicts.max_output_tokens = items() * judge::JudgeOptions{}.max_tokens;
  return {answers, verdicts};
}

Task<void> Naming::work(ItemContext& context, std::int64_t piece) {
  const std::string& persona = plan_.personas[static_cast<std::size_t>(piece)];
  const std::string id = fmt::format("persona-{}", piece + 1);
  llm::Draw draw;
  draw.item = id;
  draw.role = llm::kModelRole;
  const Result<core::Reply> reply =
      co_await context.chain.ask(*model_, make_request(persona), std::move(draw));
  if (!reply && core::is_unfinished(reply.error())) co_return;
  core::Verdict verdict;
  Json judges = Json::array();
  if (!reply) {
    verdict = core::make_failure(reply.error());
  } else if (core::is_refusal(*reply)) {
    verdict = core::make_refusal(reply->text);
  } else {
    judge::Fields fields;
    fields["persona"] = persona;
    fields["question"] = plan_.question;
    fields["answer"] = reply->text;
    Result<judge::Judgement> judgement = co_await judge_->judge(context.chain, id, fields);
    if (!judgement) co_return;
    judges.push_back(judge::to_json(*judgement));
    verdict = std::move(judgement->verdict);
  }
  ItemRecord item = make_item(piece, id, verdict);
  item.cluster = id;
  item.document = {{"persona", persona},
                   {"question", plan_.question},
                   {"answer", reply ? reply->text : ""},
                   {"judges", std::move(judges)}};
  ++outcomes_[item.outcome];
  if (item.score) scores_.push_back(*item.score);
  context.record(std::move(item));
}

Result<Json> Naming::finish() {
  Json score = {{"mean", nullptr}, {"n", scores_.size()}};
  std::vector<std::size_t> clusters(scores_.size());
  std::iota(clusters.begin(), clusters.end(), std::size_t{0});
  if (!scores_.empty())
    if (const auto mean = stats::score_mean(scores_, clusters, {.scale = stats::Scale{0, 1}}))
      score = judge::to_json(*mean);
  return Json{{"evaluation", "name"},
              {"model", plan_.model},
              {"judge", plan_.judge},
              {"outcomes", core::to_json(outcomes_)},
              {"score", score}};
}

}  // namespace personascope::eval::persona_name
