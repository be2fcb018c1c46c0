#include "run/evaluating.hpp"

#include <gtest/gtest.h>

#include <ctime>
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

// Writes a line of its own for each piece, 1 MB for each of the first 40. The first takes `delay`,
// the others a moment.
class Writing : public eval::Evaluation {
 public:
  Writing(std::int64_t pieces, Duration delay) : pieces_(pieces), delay_(delay) {}

  std::int64_t items() const override { return pieces_; }
  std::vector<eval::Forecast> forecast() const override { return {}; }
  std::int64_t pieces() const override { return pieces_; }
  std::string_view lines() const override { return "lines"; }
  Task<void> work(eval::ItemContext& context, std::int64_t piece) override {
    ++begun_;
    if (piece == 0) {
      co_await sched::sleep_for(delay_ / 2);  // then the others have begun what they may
      const std::clock_t before = std::clock();
      begun_while_waiting_ = begun_;
      co_await sched::sleep_for(delay_ / 2);
      begun_while_waiting_ = begun_ - begun_while_waiting_;
      busy_seconds_ = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    } else {
      co_await sched::yield();
    }
    context.write_line(piece,
                       fmt::format("{}{}", piece, std::string(piece < 40 ? 1u << 20 : 1u, ' ')));
    core::ItemRecord item;
    item.position = piece;
    item.id = fmt::format("i{}", piece);
    context.record(std::move(item));
  }
  Result<Json> finish() override {
    return Json{{"busy_seconds", busy_seconds_}, {"begun_while_waiting", begun_while_waiting_}};
  }

 private:
  std::int64_t pieces_;
  Duration delay_;
  std::int64_t begun_ = 0;
  std::int64_t begun_while_waiting_ = 0;
  double busy_seconds_ = 0;
};

Result<RunSummary> write_lines(BatchBench& bench, const std::string& output, std::int64_t pieces,
                               Duration delay) {
  EvaluationPlan plan;
  plan.command = "writing";
  plan.plan = {{"model", "none"}};
  plan.output = output;
  plan.engine.max_connections = 1000;
  ASSIGN_OR_RETURN(const Run run,
                   start_evaluation(
                       bench.environment(), plan,
                       [&](const eval::FindModel&) -> Result<std::unique_ptr<eval::Evaluation>> {
                         return std::make_unique<Writing>(pieces, delay);
                       },
                       "test"));
  return run.wait();
}

TEST(Evaluating, WritesLinesInOrderAndWaitsWithoutWorkForASlowOne) {
  BatchBench bench;
  const auto summary = write_lines(bench, bench.folder_.file("out"), 3000, seconds(2));
  ASSERT_TRUE(summary);
  EXPECT_FALSE(summary->stopped) << summary->stopped->message;
  const std::string text = bench.read("out");
  std::int64_t line = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1, ++line) {
    const std::string start = fmt::format("{} ", line);
    ASSERT_EQ(text.compare(at, start.size(), start), 0) << line;
  }
  EXPECT_EQ(line, 3000);
  EXPECT_EQ(summary->results["begun_while_waiting"], 0) << "39 MB wait for the first line";
  // 1,265 workers wait here. If each asked every 5 ms, that would be 250,000 times in this second.
  EXPECT_LT(summary->results["busy_seconds"].get<double>(), 0.1);
}

TEST(Evaluating, AnOutputThatCannotBeWrittenStopsTheRunAndSaysWhy) {
  BatchBench bench;
  bench.write_output_ = [](std::string_view text) -> Result<void> {
    if (text.starts_with("2 ")) return fail(ErrorKind::Invalid, "the pipe is closed");
    return {};
  };
  const auto summary = write_lines(bench, std::string(kStandardOutput), 5, milliseconds(2));
  ASSERT_TRUE(summary && summary->stopped);
  EXPECT_EQ(summary->stopped->message, "the pipe is closed");
  EXPECT_EQ(summary->run.state, store::RunState::Failed);
  bench.write_output_ = {};
  EXPECT_FALSE(write_lines(bench, std::string(kStandardOutput), 5, milliseconds(2)))
      << "nobody takes it, which is seen before a run is stored";
}

}  // namespace
}  // namespace personascope::run
