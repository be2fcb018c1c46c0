#include "run/estimate.hpp"

#include <gtest/gtest.h>

#include "run/batch_bench.hpp"

namespace personascope::run {
namespace {

using Bench = BatchBench;

Estimate estimate(Bench& bench, const BatchRequest& request) {
  const auto prepared = bench.prepare(request).value();
  auto estimates = estimate_evaluation(bench.environment(), prepared.plan, prepared.make).value();
  EXPECT_EQ(estimates.size(), 1u);
  return estimates.at(0);
}

TEST(BatchEstimate, CountsWhatIsStillToBeSent) {
  Bench bench;
  ASSERT_TRUE(bench.prices_.add({{"models", {{"vllm/m", {{"input", 1}, {"output", 2}}}}}}));
  const BatchRequest plan = bench.make_plan(Bench::make_prompts(10), "out.jsonl");
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
  BatchRequest fresh = plan;
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
  BatchRequest plan = bench.make_plan({"a"}, "o");
  plan.model = "openai/unheard-of";
  plan.engine.max_cost_usd = 1;
  bench.settings_ = files::Environment(std::map<std::string, std::string>{{"OPENAI_API_KEY", "k"}});
  const Estimate result = estimate(bench, plan);
  EXPECT_FALSE(result.max_cost_usd);
  EXPECT_TRUE(to_json(result)["most_cost_usd"].is_null());
}

}  // namespace
}  // namespace personascope::run
