// The reference protocol: main, loo, intersectionality and pass-at-k in the calls and the
// arithmetic of the published package, what is odd about them included (docs/bench.md names it).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/persona_bench/reference_calls.hpp"
#include "eval/persona_bench/trial.hpp"

namespace personascope::eval::persona_bench {

// How an item ended. Only pass-at-k has several drafts; each has its critique, failed where the
// draft did.
struct ReferenceGraded {
  std::vector<Answer> drafts;
  std::vector<core::Verdict> critiques;
  core::Verdict verdict;
};

class ReferenceBench final : public Evaluation {
 public:
  static Result<std::unique_ptr<ReferenceBench>> create(BenchPlan plan,
                                                        const FindModel& find_model);

  std::int64_t items() const override { return std::ssize(trials_); }
  std::vector<Forecast> forecast() const override;
  std::vector<std::string> notes() const override { return name_long_data(data_); }
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  Result<Json> finish() override;

 private:
  ReferenceBench(BenchPlan plan, BenchData data, ReferencePrompts prompts,
                 std::vector<Trial> trials);

  Task<Result<ReferenceGraded>> answer_once(ItemContext& context, const Trial& trial) const;
  Task<Result<ReferenceGraded>> draft_and_judge(ItemContext& context, const Trial& trial) const;
  Json make_document(const Trial& trial, const ReferenceGraded& graded) const;

  BenchPlan plan_;
  BenchData data_;
  ReferencePrompts prompts_;
  std::vector<Trial> trials_;
  std::vector<std::optional<ReferenceGraded>> graded_;
  std::optional<ReferenceCalls> calls_;
};

// The trials of the plan as the package has them: loo without the whole persona, and of
// intersectionality only those whose persona is in a population. Fails as Invalid if it wants more
// pairs than the shorter list has.
Result<std::vector<Trial>> list_reference_trials(const BenchPlan& plan, const BenchData& data);

// The findings: docs/bench.md has their form.
Result<Json> summarize_reference(const BenchPlan& plan, const BenchData& data,
                                 const std::vector<Trial>& trials,
                                 const std::vector<ReferenceGraded>& graded);

// The standard deviation of the means of 1,000 samples with replacement, each row for itself.
double bootstrap_std(const std::vector<double>& values, std::uint64_t seed);

}  // namespace personascope::eval::persona_bench
