#include "run/evaluating.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "run/batch_bench.hpp"

namespace personascope::run {
namespace {

enum class Defect { None, InWork, InFinish };

// Asks nothing; every piece is an item.
class Counting : public eval::Evaluation {
 public:
  explicit Counting(Defect defect) : defect_(defect) {}

  std::int64_t items() const override { return 50; }
  std::vector<eval::Forecast> forecast() const override { return {}; }
  std::int64_t pieces() const override { return items(); }
  Task<void> work(eval::ItemContext& context, std::int64_t piece) override {
    co_await sched::yield();
    if (defect_ == Defect::InWork && piece == 20) throw std::runtime_error("piece 20");
    core::ItemRecord item;
    item.position = piece;
    item.id = fmt::format("i{}", piece);
    item.outcome = core::Outcome::Answered;
    context.record(std::move(item));
  }
  Result<Json> finish() override {
    if (defect_ == Defect::InFinish) throw std::runtime_error("no findings");
    return Json{{"counted", items()}};
  }

 private:
  Defect defect_;
};

Result<RunSummary> count(BatchBench& bench, Defect defect) {
  EvaluationPlan plan;
  plan.command = "counting";
  plan.plan = {{"model", "none"}};
  plan.engine.max_connections = 1;
  ASSIGN_OR_RETURN(const Run run,
                   start_evaluation(
                       bench.environment(), plan,
                       [&](const eval::FindModel&) -> Result<std::unique_ptr<eval::Evaluation>> {
                         return std::make_unique<Counting>(defect);
                       },
                       "test"));
  return run.wait();
}

TEST(Evaluating, KeepsTheFindingsBesideTheRun) {
  BatchBench bench;
  const auto summary = count(bench, Defect::None);
  ASSERT_TRUE(summary);
  EXPECT_FALSE(summary->stopped);
  EXPECT_EQ(summary->run.outcomes.ok(), 50);
  EXPECT_EQ(summary->run.results, (Json{{"counted", 50}}));
}

TEST(Evaluating, ADefectEndsTheRunAndNothingElse) {
  const std::pair<Defect, const char*> cases[] = {
      {Defect::InWork, "internal error: piece 20"},
      {Defect::InFinish, "internal error: no findings"}};
  for (const auto& [defect, message] : cases) {
    BatchBench bench;
    const auto summary = count(bench, defect);
    ASSERT_TRUE(summary) << message;
    ASSERT_TRUE(summary->stopped) << message;
    EXPECT_EQ(summary->stopped->kind, ErrorKind::Internal);
    EXPECT_EQ(summary->stopped->message, message);
    EXPECT_EQ(summary->run.state, store::RunState::Failed);
    EXPECT_EQ(summary->run.note, message);
    EXPECT_GE(summary->run.outcomes.ok(), 20) << "what was done is kept";
  }
}

}  // namespace
}  // namespace personascope::run
