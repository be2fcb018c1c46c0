#include "run/explain.hpp"

#include <gtest/gtest.h>

#include "run/batch_bench.hpp"

namespace personascope::run {
namespace {

using Bench = BatchBench;

TEST(ExplainMiss, SaysWhatDiffersFromTheNearestStoredCall) {
  Bench bench;
  ASSERT_TRUE(bench.start(bench.make_plan({"one", "two"}, "out.jsonl", R"(, "temperature": 0)")));
  BatchPlan changed = bench.make_plan({"one", "two?"}, "out.jsonl", R"(, "temperature": 0)");
  changed.engine.replay = true;
  const auto run = create_batch_run(*bench.store_, changed, "test").value();
  const auto misses = explain_batch_misses(bench.environment(), run, changed, std::nullopt);
  ASSERT_TRUE(misses);
  ASSERT_EQ(misses->size(), 1u) << "the first line is there";
  const MissExplanation& miss = misses->front();
  EXPECT_EQ(miss.item, "i1");
  EXPECT_EQ(miss.nearest_item, "i1");
  ASSERT_EQ(miss.differences.size(), 1u);
  EXPECT_EQ(miss.differences[0].place, "request/messages/0/content");
  EXPECT_EQ(miss.differences[0].stored, "\"two\"");
  EXPECT_EQ(miss.differences[0].wanted, "\"two?\"");
  EXPECT_EQ(bench.provider_.statistics().requests, 2u);
}

TEST(ExplainMiss, TellsMembersThatAreThereOnOneSideOnly) {
  Bench bench;
  ASSERT_TRUE(bench.start(bench.make_plan({"one"}, "out.jsonl", R"(, "seed": 1)")));
  const BatchPlan changed = bench.make_plan({"one"}, "out.jsonl", R"(, "top_p": 0.5)");
  const auto run = create_batch_run(*bench.store_, changed, "test").value();
  const auto misses = explain_batch_misses(bench.environment(), run, changed, "i0");
  ASSERT_TRUE(misses && misses->size() == 1);
  ASSERT_EQ(misses->front().differences.size(), 2u);
  EXPECT_EQ(misses->front().differences[0].place, "request/top_p");
  EXPECT_EQ(misses->front().differences[0].stored, "");
  EXPECT_EQ(misses->front().differences[1].place, "request/seed");
  EXPECT_EQ(misses->front().differences[1].wanted, "");
}

TEST(ExplainMiss, ShowsOfLongTextsThePartThatDiffers) {
  Bench bench;
  const std::string common(5000, 'x');
  ASSERT_TRUE(bench.start(bench.make_plan({common + "apples"}, "out.jsonl")));
  const BatchPlan changed = bench.make_plan({common + "pears"}, "out.jsonl");
  const auto run = create_batch_run(*bench.store_, changed, "test").value();
  const auto misses = explain_batch_misses(bench.environment(), run, changed, std::nullopt);
  ASSERT_TRUE(misses && misses->size() == 1);
  const Difference& difference = misses->front().differences.at(0);
  EXPECT_LT(difference.stored.size(), 200u);
  EXPECT_NE(difference.stored.find("apples"), std::string::npos);
  EXPECT_NE(difference.wanted.find("pears"), std::string::npos);
}

TEST(ExplainMiss, SaysWhenNothingComparableIsStored) {
  Bench bench;
  const BatchPlan plan = bench.make_plan({"one"}, "out.jsonl");
  const auto run = create_batch_run(*bench.store_, plan, "test").value();
  const auto misses = explain_batch_misses(bench.environment(), run, plan, std::nullopt);
  ASSERT_TRUE(misses && misses->size() == 1);
  EXPECT_FALSE(misses->front().has_nearest);
  EXPECT_TRUE(to_json(misses->front())["nearest_item"].is_null());
  EXPECT_EQ(explain_batch_misses(bench.environment(), run, plan, "i9").error().kind,
            ErrorKind::Invalid);
}

TEST(ExplainMiss, FindsTheAnswersOfAFreshRun) {
  Bench bench;
  BatchPlan plan = bench.make_plan({"one"}, "out.jsonl");
  plan.engine.fresh = true;
  const auto summary = bench.start(plan);
  ASSERT_TRUE(summary);
  EXPECT_TRUE(explain_batch_misses(bench.environment(), summary->run, plan, std::nullopt)->empty());
}

}  // namespace
}  // namespace personascope::run
