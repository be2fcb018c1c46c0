// Batches carried out by the frame.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "run/batch_bench.hpp"

namespace personascope::run {
namespace {

using Bench = BatchBench;

TEST(Batch, WritesTheAnswersInTheOrderOfTheInput) {
  Bench bench({.latency = milliseconds(2)});
  auto prompts = Bench::make_prompts(60);
  prompts[0] += "[[delay 150]]";  // the first answer comes last
  const auto summary = bench.start(bench.make_plan(prompts, "out.jsonl"));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_FALSE(summary->stopped);
  EXPECT_EQ(summary->run.state, store::RunState::Done);
  EXPECT_EQ(summary->run.outcomes.ok(), 60);
  EXPECT_EQ(summary->spending.calls, 60);
  const std::string text = bench.read("out.jsonl");
  EXPECT_EQ(std::ranges::count(text, '\n'), 60);
  std::size_t at = 0;
  for (int i = 0; i < 60; ++i) {
    const std::size_t found = text.find(fmt::format("{{\"id\":\"i{}\",\"outcome\":\"ok\"", i), at);
    ASSERT_NE(found, std::string::npos) << i;
    at = found;
  }
  EXPECT_LE(bench.provider_.statistics().in_flight_peak, 8u);
}

TEST(Batch, AsksNothingTwiceAndWritesTheSameBytesAfterAStop) {
  Bench undisturbed;
  const auto prompts = Bench::make_prompts(80, "[[delay 20]]");
  ASSERT_TRUE(undisturbed.start(undisturbed.make_plan(prompts, "out.jsonl")));

  Bench bench;
  const auto run = bench.begin(bench.make_plan(prompts, "out.jsonl"));
  ASSERT_TRUE(run);
  while (done(run->progress()) == 0) ASSERT_FALSE(run->wait_for(milliseconds(5)));
  run->stop();
  const auto stopped = run->wait();
  ASSERT_TRUE(stopped);
  ASSERT_TRUE(stopped->stopped);
  EXPECT_EQ(stopped->stopped->kind, ErrorKind::Cancelled);
  EXPECT_EQ(stopped->run.state, store::RunState::Stopped);
  EXPECT_LT(done(stopped->progress), 80);
  EXPECT_FALSE(bench.exists("out.jsonl")) << "it appears whole or not at all";

  bench.open_store();
  const auto resumed = bench.resume(stopped->run.id);
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->run.state, store::RunState::Done);
  EXPECT_EQ(resumed->run.note, "");
  EXPECT_EQ(resumed->run.outcomes.ok(), 80);
  EXPECT_EQ(bench.read("out.jsonl"), undisturbed.read("out.jsonl"));
  EXPECT_EQ(bench.provider_.statistics().requests, 80u);
  EXPECT_EQ(bench.provider_.statistics().most_asked, 1u);
}

TEST(Batch, StopsAtItsBudgetAndGoesOnWithALargerOne) {
  Bench bench;
  BatchRequest plan = bench.make_plan(Bench::make_prompts(40), "out.jsonl");
  plan.engine.max_calls = 15;
  const auto stopped = bench.start(plan);
  ASSERT_TRUE(stopped && stopped->stopped);
  EXPECT_EQ(stopped->stopped->kind, ErrorKind::BudgetExhausted);
  EXPECT_EQ(stopped->run.state, store::RunState::Stopped);
  EXPECT_EQ(bench.provider_.statistics().requests, 15u);
  EXPECT_EQ(stopped->spending.calls, 15);

  const auto still = bench.resume(stopped->run.id);
  ASSERT_TRUE(still && still->stopped) << "the old limit holds over all sessions";
  EXPECT_EQ(bench.provider_.statistics().requests, 15u);

  EngineOptions over;
  over.max_calls = 40;
  const auto done_run = bench.resume(stopped->run.id, over);
  ASSERT_TRUE(done_run);
  EXPECT_FALSE(done_run->stopped);
  EXPECT_EQ(done_run->engine.max_calls, 40);
  EXPECT_EQ(bench.provider_.statistics().requests, 40u);
  EXPECT_EQ(bench.provider_.statistics().most_asked, 1u);
}

TEST(Batch, NeverSpendsMoreMoneyThanItMay) {
  Bench bench;
  ASSERT_TRUE(bench.prices_.add({{"models", {{"vllm/m", {{"input", 1000}, {"output", 1000}}}}}}));
  BatchRequest plan = bench.make_plan(Bench::make_prompts(200), "out.jsonl");
  plan.engine.max_cost_usd = 0.5;
  const auto stopped = bench.start(plan);
  ASSERT_TRUE(stopped && stopped->stopped);
  EXPECT_GT(stopped->spending.cost_usd, 0.3);
  EXPECT_LE(stopped->spending.cost_usd, 0.5);
}

TEST(Batch, CountsWhatALostRequestMayHaveCostWhenItIsResumed) {
  Bench bench;
  BatchRequest plan = bench.make_plan({"question [[stall]]"}, "out.jsonl");
  plan.engine.max_retries = 0;
  plan.engine.attempt_timeout_s = 0.1;
  plan.engine.max_tokens = 100;  // room for one call with its 64 tokens, not for two
  const auto lost = bench.start(plan);
  ASSERT_TRUE(lost && !lost->stopped);
  EXPECT_EQ(lost->run.outcomes[core::Outcome::Failed], 1);
  EXPECT_TRUE(lost->may_pass);
  EXPECT_EQ(lost->spending.output_tokens, 0);
  const auto again = bench.resume(lost->run.id);
  ASSERT_TRUE(again && again->stopped);
  EXPECT_EQ(again->stopped->kind, ErrorKind::BudgetExhausted);
  EXPECT_EQ(bench.provider_.statistics().requests, 1u);
}

TEST(Batch, SaysWhetherAFailureMayPass) {
  const std::pair<const char*, bool> cases[] = {{"[[status 500]]", true},
                                                {"[[status 400]]", false},
                                                {"[[too-long]]", false},
                                                {"[[refuse]]", false}};
  for (const auto& [fault, may_pass] : cases) {
    Bench bench;
    BatchRequest plan = bench.make_plan({"one", fmt::format("two {}", fault)}, "out.jsonl");
    plan.engine.max_retries = 0;
    const auto summary = bench.start(plan);
    ASSERT_TRUE(summary) << fault;
    EXPECT_EQ(summary->may_pass, may_pass) << fault;
  }
}

TEST(Batch, FindsItsAnswersWhenItIsRunAgainAndReplaysThem) {
  Bench bench;
  auto prompts = Bench::make_prompts(10);
  prompts[3] += "[[status 500]]";
  prompts[4] += "[[refuse]]";
  prompts[5] += "[[too-long]]";
  BatchRequest plan = bench.make_plan(prompts, "live.jsonl");
  plan.engine.max_retries = 0;
  const auto live = bench.start(plan);
  ASSERT_TRUE(live);
  EXPECT_TRUE(live->too_many_failures);
  EXPECT_EQ(live->run.outcomes[core::Outcome::Failed], 2);
  EXPECT_EQ(live->run.outcomes[core::Outcome::Refused], 1);
  EXPECT_EQ(bench.outcome_at("live.jsonl", 3), "failed");
  EXPECT_EQ(bench.outcome_at("live.jsonl", 4), "refused");

  plan.engine.replay = true;
  plan.output = bench.folder_.file("replay.jsonl");
  const auto replayed = bench.start(plan);
  ASSERT_TRUE(replayed);
  EXPECT_FALSE(replayed->stopped);
  EXPECT_EQ(bench.read("replay.jsonl"), bench.read("live.jsonl"));
  EXPECT_EQ(bench.provider_.statistics().requests, 10u);

  plan.engine.replay = {};
  ASSERT_TRUE(bench.start(plan));
  EXPECT_EQ(bench.provider_.statistics().requests, 11u) << "only what failed for the moment";

  plan.engine.fresh = true;
  ASSERT_TRUE(bench.start(plan));
  EXPECT_EQ(bench.provider_.statistics().requests, 21u);
}

TEST(Batch, RetriesWhatTheServerRefusesForAMoment) {
  Bench bench;
  BatchRequest plan =
      bench.make_plan(Bench::make_prompts(4, "[[status 429 retry-after=0 times=1]]"), "out.jsonl");
  const auto summary = bench.start(plan);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->run.outcomes.ok(), 4);
  EXPECT_EQ(summary->progress.meter.sent, 8) << "each was refused once, which is no retry";
}

TEST(Batch, StopsOnAWrongKeyAndKeepsItSecret) {
  Bench bench({.key = "the-right-key"});
  bench.settings_ =
      files::Environment(std::map<std::string, std::string>{{"VLLM_API_KEY", "planted-secret"}});
  BatchRequest plan = bench.make_plan(Bench::make_prompts(20, "[[echo-key]]"), "out.jsonl");
  plan.base_url = "http://user:planted-password@" + bench.server_.base_url().substr(7) + "/v1";
  plan.engine.max_connections = 1;
  const auto stopped = bench.start(plan);
  ASSERT_TRUE(stopped && stopped->stopped);
  EXPECT_EQ(stopped->stopped->kind, ErrorKind::Unauthorized);
  EXPECT_EQ(stopped->run.state, store::RunState::Failed);
  EXPECT_EQ(bench.provider_.statistics().requests, 1u);
  bench.store_.reset();
  for (const auto& entry : std::filesystem::directory_iterator(bench.folder_.path()))
    EXPECT_EQ(bench.read(entry.path().filename()).find("planted"), std::string::npos)
        << entry.path();
}

TEST(Batch, EndsWithASummaryWhenTheDiskIsFull) {
  Bench bench;
  auto prompts = Bench::make_prompts(300);
  Random random(1);
  for (std::string& prompt : prompts)  // noise, which does not compress
    for (int i = 0; i < 3000; ++i) prompt += static_cast<char>('a' + random.below(26));
  BatchRequest plan = bench.make_plan(prompts, "out.jsonl");
  bench.open_store({.max_pages = 40});
  const auto stopped = bench.start(plan);
  ASSERT_TRUE(stopped);
  ASSERT_TRUE(stopped->stopped);
  EXPECT_EQ(stopped->stopped->kind, ErrorKind::Storage);
  EXPECT_FALSE(bench.exists("out.jsonl"));

  const std::uint64_t asked = bench.provider_.statistics().requests;
  bench.open_store();
  const auto resumed = bench.resume(stopped->run.id);
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->run.outcomes.ok(), 300);
  EXPECT_LE(bench.provider_.statistics().requests, 300u + 18u) << asked;
}

TEST(Batch, AsksOnlyTheJudgeAgainWhenRescoring) {
  for (const bool is_fresh : {false, true}) {
    Bench bench;
    BatchRequest plan = bench.make_plan(Bench::make_prompts(6), "out.jsonl");
    plan.engine.fresh = is_fresh;
    {
      std::ofstream file(plan.input, std::ios::app);
      file
          << R"({"id": "j", "role": "judge", "messages": [{"role": "user", "content": "verdict"}]})"
          << "\n";
    }
    const auto first = bench.start(plan);
    ASSERT_TRUE(first);
    EXPECT_EQ(bench.provider_.statistics().requests, 7u);

    plan.rescores = first->run.id;
    const auto second = bench.start(plan);
    ASSERT_TRUE(second);
    EXPECT_FALSE(second->stopped) << (second->stopped ? second->stopped->message : "");
    EXPECT_EQ(bench.provider_.statistics().requests, 8u);
    plan.rescores = second->run.id;
    ASSERT_TRUE(bench.start(plan));
    EXPECT_EQ(bench.provider_.statistics().requests, 9u);
  }
}

TEST(Batch, ChecksThePlanBeforeAnythingIsSpent) {
  Bench bench;
  const BatchRequest good = bench.make_plan(Bench::make_prompts(1), "out.jsonl");
  const auto check = [&](const auto& change) {
    BatchRequest plan = good;
    change(plan);
    return bench.start(plan);
  };
  EXPECT_TRUE(check([](BatchRequest&) {}));
  const auto runs = bench.store_->reader().load_runs({})->size();
  EXPECT_FALSE(check([](BatchRequest& plan) { plan.model = "vlm/m"; }));
  EXPECT_FALSE(check([](BatchRequest& plan) {
    plan.model = "openai/gpt-4o";
    plan.base_url = {};
  }));
  EXPECT_FALSE(check([](BatchRequest& plan) { plan.base_url = "localhost"; }));
  EXPECT_FALSE(check([](BatchRequest& plan) { plan.output = "/nowhere/at/all.jsonl"; }));
  EXPECT_FALSE(check([](BatchRequest& plan) { plan.output = "/tmp"; }));
  EXPECT_FALSE(check([](BatchRequest& plan) { plan.output = kStandardOutput; }))
      << "nobody takes it";
  EXPECT_FALSE(check([](BatchRequest& plan) {
    plan.model = "openai/unheard-of";
    plan.engine.max_cost_usd = 1;
  }));
  EXPECT_EQ(bench.store_->reader().load_runs({})->size(), runs) << "nothing was stored";
}

}  // namespace
}  // namespace personascope::run
