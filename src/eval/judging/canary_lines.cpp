#include "eval/judging/canary_lines.hpp"

#include "eval/input_lines.hpp"
#include "judge/canary.hpp"

namespace personascope::eval::judging {

Result<std::vector<CanaryLine>> load_canary_lines(const JudgePlan& plan,
                                                  const judge::Rubric& rubric) {
  const std::vector<std::string> needed = list_judged_fields(rubric);
  const std::vector<judge::Canary> canaries = judge::make_canaries(rubric);
  InputLines input(plan.input);
  std::vector<CanaryLine> lines;
  for (const std::size_t item : judge::choose_canary_items(
           static_cast<std::size_t>(plan.input.lines), static_cast<std::size_t>(plan.canaries))) {
    ASSIGN_OR_RETURN(const std::string text, input.read(static_cast<std::int64_t>(item)));
    ASSIGN_OR_RETURN(const JudgeLine line, parse_judge_line(text, needed));
    for (const judge::Canary& canary : canaries) {
      CanaryLine made{canary.name, line};
      made.line.id = "canary/" + canary.name + "/" + line.id;
      made.line.fields[rubric.prompt.judged] = canary.answer;
      lines.push_back(std::move(made));
    }
  }
  return lines;
}

}  // namespace personascope::eval::judging
