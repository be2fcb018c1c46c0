#include "run/options.hpp"

#include <gtest/gtest.h>

namespace personascope::run {
namespace {

EngineOptions make_full() {
  return {.max_connections = 7,
          .fixed_connections = 9,
          .calls_per_minute = 60.5,
          .tokens_per_minute = 1000,
          .max_retries = 3,
          .timeout_s = 90,
          .attempt_timeout_s = 5,
          .idle_timeout_s = 0.5,
          .hedge_after_s = 2,
          .max_cost_usd = 1.25,
          .max_calls = 100,
          .max_tokens = 5000,
          .fail_on_error = 0.1,
          .reasoning_effort = "low",
          .thinking_budget = 2048,
          .judge_reasoning_effort = "high",
          .judge_thinking_budget = 1024,
          .fresh = true,
          .replay = false,
          .retry_failed = true,
          .embedded_memory_mb = 100,
          .embedded_parallel = 4,
          .aws_region = "eu-north-1",
          .confirm_above_usd = 2.5,
          .tags = std::vector<std::string>{"nightly"}};
}

TEST(EngineOptions, SurviveTheWayThroughJson) {
  const Json full = to_json(make_full());
  EXPECT_EQ(full.size(), 25u);
  EXPECT_EQ(to_json(parse_stored_engine({{"engine", full}}).value()), full);
  EXPECT_EQ(to_json(EngineOptions{}), Json::object()) << "what is not set is not stored";
  EXPECT_EQ(to_json(parse_stored_engine(Json::object()).value()), Json::object());
}

TEST(EngineOptions, PassOverMembersOfALaterVersion) {
  const auto options = parse_stored_engine({{"engine", {{"later", true}, {"max_retries", 2}}}});
  EXPECT_EQ(to_json(options.value()), Json({{"max_retries", 2}}));
}

TEST(EngineOptions, AreReadFromPlansOfVersion01) {
  const Json old = parse_json(R"({"engine": {"calls_per_minute": 60.5, "tokens_per_minute": 1000,
      "timeout_s": 90, "attempt_timeout_s": 5, "idle_timeout_s": 0.5, "hedge_after_s": 2,
      "max_cost_usd": 1.25, "embedded_memory_mb": 100}})")
                       .value();
  const auto options = parse_stored_engine(old);
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->calls_per_minute, 60.5);
  EXPECT_EQ(options->tokens_per_minute, 1000);
  EXPECT_EQ(options->timeout_s, 90);
  EXPECT_EQ(options->attempt_timeout_s, 5);
  EXPECT_EQ(options->idle_timeout_s, 0.5);
  EXPECT_EQ(options->hedge_after_s, 2);
  EXPECT_EQ(options->max_cost_usd, 1.25);
  EXPECT_EQ(options->embedded_memory_mb, 100);
}

TEST(EngineOptions, RefuseADamagedPlan) {
  for (const char* damaged :
       {R"({"max_calls": "many"})", R"({"fresh": 1})", R"({"max_connections": 0})",
        R"({"max_connections": -1})", R"({"timeout": 0})", R"({"embedded_parallel": 1000})"}) {
    const auto options = parse_stored_engine({{"engine", parse_json(damaged).value()}});
    ASSERT_FALSE(options) << damaged;
    EXPECT_EQ(options.error().kind, ErrorKind::Invalid);
  }
}

TEST(EngineOptions, MergeByWhatIsSet) {
  EngineOptions over;
  over.max_calls = 200;
  over.replay = true;
  const EngineOptions merged = merge(make_full(), over);
  EXPECT_EQ(merged.max_calls, 200);
  EXPECT_EQ(merged.replay, true);
  EXPECT_EQ(merged.max_cost_usd, 1.25);
  EXPECT_EQ(to_json(merge({}, make_full())), to_json(make_full()));
}

TEST(EngineOptions, BecomeTheChainsOptions) {
  const llm::ChainOptions chain = chain_options_of(make_full());
  EXPECT_EQ(chain.limiter.limit.most, 9);
  EXPECT_FALSE(chain.limiter.limit.adapt) << "a fixed number goes before a ceiling";
  EngineOptions ceiling;
  ceiling.max_connections = 7;
  EXPECT_EQ(chain_options_of(ceiling).limiter.limit.most, 7);
  EXPECT_TRUE(chain_options_of(ceiling).limiter.limit.adapt);
  EXPECT_EQ(chain.limiter.pace.calls_per_minute, 60.5);
  EXPECT_EQ(chain.retry.max_retries, 3);
  EXPECT_EQ(chain.total_timeout, seconds(90));
  EXPECT_EQ(chain.hedge_after, milliseconds(2000));
  EXPECT_TRUE(chain.fresh);
  EXPECT_FALSE(chain.replay);
  EXPECT_TRUE(chain_options_of({}).limiter.limit.adapt);
  EXPECT_FALSE(chain_options_of({}).hedge_after);
  EXPECT_EQ(timeouts_of(make_full()).total, seconds(5));
  EXPECT_EQ(timeouts_of(make_full()).idle, milliseconds(500));
  EXPECT_EQ(limits_of(make_full()).tokens, 5000);
}

TEST(EngineOptions, NeverTurnATimeOutOff) {
  EngineOptions options;
  options.attempt_timeout_s = 0;
  options.timeout_s = 1e300;
  EXPECT_GT(timeouts_of(options).total.count(), 0);
  EXPECT_LE(chain_options_of(options).total_timeout, seconds(7 * 24 * 3600));
}

}  // namespace
}  // namespace personascope::run
