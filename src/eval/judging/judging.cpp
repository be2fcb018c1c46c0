#include "eval/judging/judging.hpp"

#include "judge/panel.hpp"

namespace personascope::eval::judging {
namespace {

// What was judged, and what each judge said.
Json make_document(const JudgeLine& line, const std::vector<judge::Judgement>& judgements) {
  Json document = {{"fields", line.fields}, {"judges", Json::array()}};
  for (const judge::Judgement& judgement : judgements)
    document["judges"].push_back(judge::to_json(judgement));
  return document;
}

std::vector<core::Verdict> verdicts_of(const std::vector<judge::Judgement>& judgements) {
  std::vector<core::Verdict> verdicts;
  for (const judge::Judgement& judgement : judgements) verdicts.push_back(judgement.verdict);
  return verdicts;
}

}  // namespace

Judging::Judging(JudgeSetup setup)
    : plan_(std::move(setup.plan)),
      rubric_(std::move(setup.rubric)),
      needed_(list_judged_fields(rubric_)),
      notes_(std::move(setup.notes)),
      input_(plan_.input),
      items_(static_cast<std::size_t>(plan_.input.lines)) {}

Result<std::unique_ptr<Judging>> Judging::create(JudgeSetup setup, const FindModel& find_model) {
  // Judging's constructor is private, so make_unique cannot reach it.
  std::unique_ptr<Judging> judging(new Judging(std::move(setup)));
  const JudgePlan& plan = judging->plan_;
  for (const std::string& name : list_judges(plan)) {
    ASSIGN_OR_RETURN(llm::Model * model, find_model(name));
    ASSIGN_OR_RETURN(judge::Judge judge,
                     judge::Judge::create(*model, judging->rubric_, plan.options));
    judging->judges_.push_back(std::move(judge));
  }
  ASSIGN_OR_RETURN(judging->canaries_, load_canary_lines(plan, judging->rubric_));
  judging->canary_verdicts_.resize(judging->canaries_.size());
  return judging;
}

std::int64_t Judging::items() const {
  return plan_.input.lines + std::ssize(canaries_);
}

Result<bool> Judging::visit_calls(const VisitCall& visit) const {
  const auto visit_line = [&](const JudgeLine& line) -> Result<void> {
    for (std::size_t i = 0; i < plan_.judges.size(); ++i)
      for (const judge::Judge::Ask& ask : judges_[i].list_asks(line.id, line.fields))
        RETURN_IF_ERROR(visit(judges_[i].model(), ask.request, ask.draw));
    return {};
  };
  InputLines input(plan_.input);
  for (std::int64_t place = 0; place < plan_.input.lines; ++place) {
    ASSIGN_OR_RETURN(const std::string text, input.read(place));
    ASSIGN_OR_RETURN(const JudgeLine line, parse_judge_line(text, needed_));
    RETURN_IF_ERROR(visit_line(line));
  }
  for (const CanaryLine& canary : canaries_) RETURN_IF_ERROR(visit_line(canary.line));
  return true;
}

Task<void> Judging::work(ItemContext& context, std::int64_t piece) {
  if (piece < plan_.input.lines) return judge_line(context, piece);
  return judge_canary(context, static_cast<std::size_t>(piece - plan_.input.lines));
}

Result<JudgeLine> Judging::read(std::int64_t place) {
  ASSIGN_OR_RETURN(const std::string text, input_.read(place));
  auto line = parse_judge_line(text, needed_);
  if (!line) return std::unexpected(input_.make_change_error(line.error().message));
  if (plan_.cluster && !line->fields.contains(*plan_.cluster))
    return std::unexpected(input_.make_change_error("it has lost its group"));
  return line;
}

Task<void> Judging::judge_line(ItemContext& context, std::int64_t index) {
  Result<JudgeLine> line = read(index);
  if (!line) {
    context.stop(std::move(line).error());
    co_return;
  }
  std::vector<judge::Judgement> judgements;
  for (std::size_t place = 0; place < judges_.size(); ++place) {
    if (is_escalation(place) && !judge::differs_widely(verdicts_of(judgements))) break;
    Result<judge::Judgement> judgement =
        co_await judges_[place].judge(context.chain, line->id, line->fields);
    if (!judgement) co_return;
    judgements.push_back(std::move(*judgement));
  }
  const core::Verdict verdict = judge::combine_panel(verdicts_of(judgements), plan_.rule);
  std::optional<std::string> cluster;
  if (plan_.cluster) cluster = line->fields[*plan_.cluster];
  context.write_line(index, render_verdict_line(*line, verdict, cluster, judgements));
  ItemRecord item = make_item(index, line->id, verdict);
  item.cluster = cluster.value_or("");
  item.judges = judge::list_scores(judgements);
  item.document = make_document(*line, judgements);
  context.record(std::move(item));
  keep(index, *line, verdict, cluster.value_or(""), std::move(judgements));
}

void Judging::keep(std::int64_t index, const JudgeLine& line, const core::Verdict& verdict,
                   const std::string& cluster, std::vector<judge::Judgement> judgements) {
  judge::Tally::Item& item = items_[static_cast<std::size_t>(index)];
  item.cluster = cluster;
  if (const auto model = line.fields.find("model"); model != line.fields.end())
    item.model = model->second;
  item.verdict = verdict;
  item.verdict.text.clear();
  for (std::size_t place = 0; place < judgements.size(); ++place) {
    judgements[place].readings.clear();
    judgements[place].verdict.text.clear();
    item.escalated = item.escalated || is_escalation(place);
    item.judgements.emplace_back(place, std::move(judgements[place]));
  }
}

Task<void> Judging::judge_canary(ItemContext& context, std::size_t place) {
  const JudgeLine& line = canaries_[place].line;
  std::vector<judge::Judgement> judgements;
  for (std::size_t judge = 0; judge < plan_.judges.size(); ++judge) {
    Result<judge::Judgement> judgement =
        co_await judges_[judge].judge(context.chain, line.id, line.fields);
    if (!judgement) co_return;
    judgements.push_back(std::move(*judgement));
  }
  std::vector<core::Verdict> verdicts = verdicts_of(judgements);
  core::Verdict verdict = judge::combine_panel(verdicts, plan_.rule);
  // A judge that gives no readable verdict on a worthless answer has not failed; it is counted
  // with the canaries.
  if (verdict.fault.kind == ErrorKind::Unparsable) verdict = core::make_abstention("");
  ItemRecord item =
      make_item(plan_.input.lines + static_cast<std::int64_t>(place), line.id, verdict);
  item.label = "canary";
  item.document = make_document(line, judgements);
  context.record(std::move(item));
  canary_verdicts_[place] = std::move(verdicts);
}

Result<Json> Judging::finish() {
  judge::Tally tally(rubric_, list_judges(plan_), plan_.rule, plan_.cluster.value_or(""));
  for (const judge::Tally::Item& item : items_) tally.add(item);
  for (std::size_t i = 0; i < canary_verdicts_.size(); ++i)
    for (std::size_t judge = 0; judge < canary_verdicts_[i].size(); ++judge)
      tally.add_canary(canaries_[i].canary, judge, canary_verdicts_[i][judge]);
  return tally.summarize();
}

}  // namespace personascope::eval::judging
