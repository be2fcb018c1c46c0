#include "run/estimate.hpp"

#include <gtest/gtest.h>

#include "run/batch_bench.hpp"

namespace personascope::run {
namespace {

using Bench = BatchBench;

Estimate estimate(Bench& bench, const BatchPlan& plan) {
  return estimate_batch(bench.environment(), plan.input.path, plan.model, plan.base_url,
                        plan.engine)
      .value();
}

TEST(BatchEstimate, CountsWhatIsStillToBeSent) {
  Bench bench;
  ASSERT_TRUE(bench.prices_.add({{"models", {{"vllm/m", {{"input", 1}, {"output", 2}}}}}}));
  const BatchPlan plan = bench.make_plan(Bench::make_prompts(10), "out.jsonl");
  const Estimate before = estimate(bench, plan);
  EXPECT_EQ(before.lines, 10);
  EXPECT_EQ(before.calls, 10);
  EXPECT_EQ(before.max_output_tokens, 640);
  EXPECT_NEAR(before.max_cost_usd.value(),
              (static_cast<double>(before.input_tokens) + 2.0 * 640) / 1e6, 1e-12);
  EXPECT_FALSE(before.seconds) << "nothing to judge by";
  EXPECT_EQ(bench.provider_.statistics().requests, 0u);

  ASSERT_TRUE(bench.start(plan));
  const Estimate after = estimate(bench, plan);
  EXPECT_EQ(after.calls, 0);
  EXPECT_EQ(after.from_journal, 10);
  BatchPlan fresh = plan;
  fresh.engine.fresh = true;
  EXPECT_EQ(estimate(bench, fresh).calls, 10);
  EXPECT_GT(estimate(bench, fresh).seconds.value(), 0);
}

TEST(BatchEstimate, CountsEqualCallsOnce) {
  Bench bench;
  EXPECT_EQ(estimate(bench, bench.make_plan({"a", "a", "b"}, "o", R"(, "temperature": 0)")).calls,
            2);
  EXPECT_EQ(estimate(bench, bench.make_plan({"a", "a", "b"}, "o", R"(, "temperature": 1)")).calls,
            3);
}

TEST(BatchEstimate, DoesNotTakeAnUnknownPriceForNothing) {
  Bench bench;
  const BatchPlan plan = bench.make_plan({"a"}, "o");
  const auto result =
      estimate_batch(bench.environment(), plan.input.path, "openai/unheard-of", plan.base_url, {});
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->max_cost_usd);
  EXPECT_TRUE(to_json(*result)["most_cost_usd"].is_null());
}

}  // namespace
}  // namespace personascope::run
