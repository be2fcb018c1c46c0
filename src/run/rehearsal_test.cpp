#include "run/rehearsal.hpp"

#include <gtest/gtest.h>

#include "run/batch_bench.hpp"
#include "run/run_id.hpp"

namespace personascope::run {
namespace {

using Bench = BatchBench;

// What a replay of a new run of the batch would miss; nothing is sent.
Result<std::vector<MissExplanation>> explain(Bench& bench, const BatchRequest& request,
                                             const std::optional<std::string>& item = {}) {
  ASSIGN_OR_RETURN(const auto prepared, bench.prepare(request));
  ASSIGN_OR_RETURN(const auto run,
                   create_run(*bench.store_, "batch", prepared.plan.plan, 1, "test"));
  return explain_evaluation_misses(bench.environment(), run, prepared.plan, prepared.make, item);
}

TEST(ExplainMiss, SaysWhatDiffersFromTheNearestStoredCall) {
  Bench bench;
  ASSERT_TRUE(bench.start(bench.make_plan({"one", "two"}, "out.jsonl", R"(, "temperature": 0)")));
  BatchRequest changed = bench.make_plan({"one", "two?"}, "out.jsonl", R"(, "temperature": 0)");
  changed.engine.replay = true;
  const auto misses = explain(bench, changed);
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
  const BatchRequest changed = bench.make_plan({"one"}, "out.jsonl", R"(, "top_p": 0.5)");
  const auto misses = explain(bench, changed, "i0");
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
  const BatchRequest changed = bench.make_plan({common + "pears"}, "out.jsonl");
  const auto misses = explain(bench, changed);
  ASSERT_TRUE(misses && misses->size() == 1);
  const Difference& difference = misses->front().differences.at(0);
  EXPECT_LT(difference.stored.size(), 200u);
  EXPECT_NE(difference.stored.find("apples"), std::string::npos);
  EXPECT_NE(difference.wanted.find("pears"), std::string::npos);
}

TEST(ExplainMiss, SaysWhenNothingComparableIsStored) {
  Bench bench;
  const BatchRequest plan = bench.make_plan({"one"}, "out.jsonl");
  const auto misses = explain(bench, plan);
  ASSERT_TRUE(misses && misses->size() == 1);
  EXPECT_FALSE(misses->front().has_nearest);
  EXPECT_TRUE(to_json(misses->front())["nearest_item"].is_null());
  EXPECT_EQ(explain(bench, plan, "i9").error().kind, ErrorKind::Invalid);
}

TEST(ExplainMiss, FindsTheAnswersOfAFreshRun) {
  Bench bench;
  BatchRequest plan = bench.make_plan({"one"}, "out.jsonl");
  plan.engine.fresh = true;
  const auto summary = bench.start(plan);
  ASSERT_TRUE(summary);
  const auto prepared = bench.prepare(plan).value();
  EXPECT_TRUE(explain_evaluation_misses(bench.environment(), summary->run, prepared.plan,
                                        prepared.make, std::nullopt)
                  ->empty());
}

}  // namespace
}  // namespace personascope::run
