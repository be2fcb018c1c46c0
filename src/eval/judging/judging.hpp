// `judge`: a file of answers scored by one judge or a panel, in the order of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option.hpp"
#include "eval/evaluation.hpp"
#include "eval/input_lines.hpp"
#include "eval/judging/canary_lines.hpp"
#include "eval/judging/judge_line.hpp"
#include "eval/judging/judge_plan.hpp"
#include "eval/planning.hpp"
#include "judge/judge.hpp"
#include "judge/summary.hpp"

namespace personascope::eval::judging {

// The lines of the input are the first items; after them come the canaries.
class Judging : public Evaluation {
 public:
  static Result<std::unique_ptr<Judging>> create(JudgeSetup setup, const FindModel& find_model);

  std::int64_t items() const override;
  std::vector<Forecast> forecast() const override { return {}; }
  // What an escalation would ask is not known before.
  Result<bool> visit_calls(const VisitCall& visit) const override;
  std::vector<std::string> notes() const override { return notes_; }
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  std::string_view lines() const override { return "verdicts"; }
  ItemIds ids() const override { return ItemIds::Plain; }
  // In the order of the file, whatever the order of the answers was.
  Result<Json> finish() override;

 private:
  explicit Judging(JudgeSetup setup);
  bool is_escalation(std::size_t place) const { return place >= plan_.judges.size(); }
  Result<JudgeLine> read(std::int64_t place);
  Task<void> judge_line(ItemContext& context, std::int64_t index);
  Task<void> judge_canary(ItemContext& context, std::size_t place);
  // For the findings.
  void keep(std::int64_t index, const JudgeLine& line, const core::Verdict& verdict,
            const std::string& cluster, std::vector<judge::Judgement> judgements);

  JudgePlan plan_;
  judge::Rubric rubric_;  // the judges refer to it
  std::vector<std::string> needed_;
  std::vector<std::string> notes_;
  std::vector<judge::Judge> judges_;
  InputLines input_;
  std::vector<CanaryLine> canaries_;
  std::vector<judge::Tally::Item> items_;
  std::vector<std::vector<core::Verdict>> canary_verdicts_;
};

// For the catalog.
std::vector<core::OptionSpec> list_judging_options(std::string_view stage);
Result<PreparedEvaluation> prepare_judging(const PlanContext& context, std::string_view stage,
                                           const Json& given);
Result<PreparedEvaluation> load_judging(const Json& plan);

}  // namespace personascope::eval::judging
