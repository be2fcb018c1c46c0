#include "run/judge_calls.hpp"

#include <algorithm>

#include "files/line_reader.hpp"

namespace personascope::run {

std::vector<std::string> list_judged_fields(const judge::Rubric& rubric) {
  std::vector<std::string> fields = judge::list_needed_fields(rubric.prompt);
  for (const std::string& field : judge::list_needed_fields(rubric.score_prompt))
    if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
  return fields;
}

std::vector<std::string> list_judges(const JudgePlan& plan) {
  std::vector<std::string> names = plan.judges;
  if (plan.escalate) names.push_back(*plan.escalate);
  return names;
}

Result<std::vector<judge::Judge>> make_judges(const JudgePlan& plan, const judge::Rubric& rubric,
                                              const MakeModel& make_model) {
  std::vector<judge::Judge> judges;
  for (const std::string& name : list_judges(plan)) {
    ASSIGN_OR_RETURN(llm::Model * model, make_model(name));
    ASSIGN_OR_RETURN(judge::Judge judge, judge::Judge::create(*model, rubric, plan.options));
    judges.push_back(std::move(judge));
  }
  return judges;
}

Result<void> IdleJudges::add(const RunEnvironment& environment, const JudgePlan& plan,
                             const judge::Rubric& rubric) {
  models_ = std::make_unique<ModelSet>(environment, plan.engine);
  ASSIGN_OR_RETURN(judges_, make_judges(plan, rubric, [&](const std::string& name) {
                     return models_->add(name, plan.base_url);
                   }));
  return {};
}

CanaryLines::CanaryLines(const JudgePlan& plan, const judge::Rubric& rubric)
    : canaries_(judge::make_canaries(rubric)),
      judged_(rubric.prompt.judged),
      chosen_(judge::choose_canary_items(static_cast<std::size_t>(plan.input.lines),
                                         static_cast<std::size_t>(plan.canaries))) {}

void CanaryLines::see(std::int64_t index, const JudgeLine& line) {
  if (!std::ranges::binary_search(chosen_, static_cast<std::size_t>(index))) return;
  for (const judge::Canary& canary : canaries_) {
    JudgeLine copy = line;
    copy.id = "canary/" + canary.name + "/" + line.id;
    copy.fields[judged_] = canary.answer;
    lines_.push_back({canary.name, std::move(copy)});
  }
}

std::int64_t CanaryLines::expected() const {
  return static_cast<std::int64_t>(chosen_.size() * judge::kCanaryKinds);
}

Result<void> visit_judge_calls(
    const JudgePlan& plan, const judge::Rubric& rubric, const std::vector<judge::Judge>& judges,
    const std::function<Result<void>(std::size_t, const judge::Judge::Ask&)>& visit) {
  const auto visit_line = [&](const JudgeLine& line) -> Result<void> {
    for (std::size_t i = 0; i < plan.judges.size(); ++i)
      for (const judge::Judge::Ask& ask : judges[i].list_asks(line.id, line.fields))
        RETURN_IF_ERROR(visit(i, ask));
    return {};
  };
  CanaryLines canaries(plan, rubric);
  const std::vector<std::string> needed = list_judged_fields(rubric);
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(plan.input.path));
  for (std::int64_t index = 0;; ++index) {
    ASSIGN_OR_RETURN(const auto text, reader.next());
    if (!text) break;
    ASSIGN_OR_RETURN(const JudgeLine line, parse_judge_line(*text, needed));
    canaries.see(index, line);
    RETURN_IF_ERROR(visit_line(line));
  }
  for (const CanaryLines::Line& canary : canaries.lines()) RETURN_IF_ERROR(visit_line(canary.line));
  return {};
}

}  // namespace personascope::run
