// The exam: which judge may judge what? Items with a known answer (data/exam) are put to every
// judge as gym, bench and lens would put them, and what each gets right, misses and is moved by
// becomes a licence for each dimension.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/findings.hpp"
#include "core/option.hpp"
#include "eval/evaluation.hpp"
#include "eval/exam/exam_data.hpp"
#include "eval/exam/exam_plan.hpp"
#include "eval/exam/examiner.hpp"
#include "eval/planning.hpp"

namespace personascope::eval::exam {

class Examination final : public Evaluation {
 public:
  // Fails as load_exam_data does, and as Invalid if the data has changed since the plan was made or
  // the plan's choice leaves no item.
  static Result<std::unique_ptr<Examination>> create(ExamPlan plan, const FindModel& find_model);

  std::int64_t items() const override { return std::ssize(data_.cases); }
  std::vector<Forecast> forecast() const override;
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  Result<Json> finish() override;

 private:
  Examination(ExamPlan plan, ExamData data);
  Json list_panels() const;
  void record(ItemContext& context, std::int64_t piece, const std::vector<Sitting>& sittings) const;

  ExamPlan plan_;
  ExamData data_;
  std::vector<std::unique_ptr<Examiner>> examiners_;
  std::vector<std::vector<Sitting>> sittings_;  // by item, then by judge
};

// Keeps the items of the plan's kinds and dimensions, and `limit` of each kind, drawn by seed.
// Fails as Invalid for a kind or dimension that there is not, and if nothing is left.
Result<void> choose_cases(const ExamPlan& plan, std::vector<ExamCase>& cases);

// The functions of the catalog's row.
std::vector<core::OptionSpec> list_exam_options(std::string_view stage);
Result<PreparedEvaluation> prepare_exam(const PlanContext& context, std::string_view stage,
                                        const Json& given);
Result<PreparedEvaluation> load_exam(const Json& plan);
core::Findings describe_exam(const Json& results);

}  // namespace personascope::eval::exam
