// What the ask chain does when a server refuses calls, or is gone.
#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

using Bench = ChainBench;

Attempt make_refusal(milliseconds retry_after = milliseconds(5)) {
  Attempt attempt = FakeModel::make_failure(ErrorKind::RateLimited, "HTTP 429");
  attempt.pace.retry_after = retry_after;
  return attempt;
}

void start_many(Bench& bench, FakeModel& model, int calls) {
  for (int i = 0; i < calls; ++i)
    bench.start(model, Bench::make_request(std::to_string(i)), Bench::make_draw("a"));
}

int count_answered(const Bench& bench) {
  int answered = 0;
  for (const auto& result : bench.results_) answered += result && *result ? 1 : 0;
  return answered;
}

TEST(ChainAndLimits, ARefusalIsNoTryAndGoesBackToTheQueue) {
  Bench bench;
  bench.options_.retry.max_retries = 0;
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    Attempt attempt = earlier < 3 ? make_refusal() : FakeModel::make_attempt("well");
    co_return attempt;
  };
  const auto reply = bench.ask(model, Bench::make_request("x"));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(model.asked_, 4);
  EXPECT_EQ(bench.chain().meter().rate_limited, 3);
  EXPECT_EQ(bench.chain().meter().retried, 0);
  ASSERT_TRUE(bench.store_->flush());
  EXPECT_EQ(bench.store_->reader().load_spending(1)->calls, 4) << "each is a request that was sent";
}

TEST(ChainAndLimits, ARefusedCallIsSentBeforeThoseThatWereNeverSent) {
  Bench bench;
  bench.options_.limiter.limit = {1, 1, true};
  FakeModel model;
  std::vector<std::string> asked;
  model.behave_ = [&](const core::Request& request, Delivery, int earlier) -> Task<Attempt> {
    asked.push_back(request.messages.back().content);
    co_await sched::sleep_for(milliseconds(2));
    Attempt attempt = earlier == 1 ? make_refusal() : FakeModel::make_attempt("well");
    co_return attempt;
  };
  start_many(bench, model, 4);
  bench.loop().run();
  EXPECT_EQ(asked, (std::vector<std::string>{"0", "1", "1", "2", "3"}));
}

TEST(ChainAndLimits, RefusalsWithoutEndFailWhenTheCallsTimeIsUp) {
  Bench bench;
  bench.options_.total_timeout = milliseconds(120);
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int) -> Task<Attempt> {
    Attempt attempt = make_refusal(milliseconds(30));
    co_return attempt;
  };
  const auto reply = bench.ask(model, Bench::make_request("x"));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::RateLimited);
  EXPECT_NE(reply.error().message.find("`timeout`"), std::string::npos) << reply.error().message;
  EXPECT_GE(model.asked_, 2);
  EXPECT_LE(model.asked_, 6);
}

TEST(ChainAndLimits, AServerWithALimitAtOnceIsKeptBusyAndFewCallsAreRefused) {
  Bench bench;
  FakeModel model;
  model.behave_ = [&](const core::Request&, Delivery, int) -> Task<Attempt> {
    if (model.in_flight_ > 20) co_return make_refusal(seconds(60));
    co_await sched::sleep_for(milliseconds(10));
    Attempt attempt = FakeModel::make_attempt("well");
    co_return attempt;
  };
  start_many(bench, model, 400);
  const TimePoint start = SteadyClock::now();
  bench.loop().run();
  EXPECT_EQ(count_answered(bench), 400);
  EXPECT_LT(SteadyClock::now() - start, seconds(30)) << "a Retry-After of a minute stops nobody";
  EXPECT_LT(bench.chain().meter().rate_limited, 40);
}

TEST(ChainAndLimits, AFixedNumberIsKeptToWhateverTheServerRefuses) {
  Bench bench;
  bench.options_.limiter.limit = {8, 8, false};
  FakeModel model;
  model.behave_ = [&](const core::Request&, Delivery, int) -> Task<Attempt> {
    if (model.in_flight_ > 4) co_return make_refusal(milliseconds(20));
    co_await sched::sleep_for(milliseconds(5));
    Attempt attempt = FakeModel::make_attempt("well");
    co_return attempt;
  };
  start_many(bench, model, 60);
  bench.loop().run();
  EXPECT_EQ(count_answered(bench), 60);
  EXPECT_GT(bench.chain().meter().rate_limited, 0);
  EXPECT_LT(bench.chain().meter().rate_limited, 60) << "a refused call waits in its slot";
}

TEST(ChainAndLimits, NoConnectionBeforeTheFirstAnswerStopsTheRun) {
  Bench bench;
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int) -> Task<Attempt> {
    co_await sched::sleep_for(milliseconds(2));
    Attempt attempt =
        FakeModel::make_failure(ErrorKind::Unreachable, "no connection to host:1 (refused)");
    co_return attempt;
  };
  start_many(bench, model, 100);
  bench.loop().run();
  EXPECT_LE(model.asked_, 32);
  ASSERT_TRUE(bench.stop().requested());
  EXPECT_EQ(bench.stop().reason().kind, ErrorKind::Unreachable);
  EXPECT_TRUE(bench.stop().reason().message.starts_with("no connection to host:1 (refused); check"))
      << bench.stop().reason().message;
}

TEST(ChainAndLimits, AnOutageAfterAnAnswerPausesTheRunAndNothingFails) {
  Bench bench;
  bench.options_.limiter.limit = {.start = 4, .most = 4, .adapt = true};
  FakeModel model;
  const TimePoint start = SteadyClock::now();
  int sent_in_outage = 0;
  model.behave_ = [&](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    co_await sched::sleep_for(milliseconds(1));
    const bool is_out = earlier >= 4 && SteadyClock::now() - start < milliseconds(1500);
    if (is_out) ++sent_in_outage;
    Attempt attempt = is_out ? FakeModel::make_failure(ErrorKind::Unreachable, "no connection")
                             : FakeModel::make_attempt("well");
    co_return attempt;
  };
  start_many(bench, model, 30);
  std::string said;
  const auto listen = [](Bench& b, std::string& heard) -> Task<void> {
    co_await sched::sleep_for(milliseconds(500));
    heard = b.chain().describe_wait();
  };
  bench.loop().spawn(listen(bench, said));
  bench.loop().run();
  EXPECT_EQ(count_answered(bench), 30);
  EXPECT_LE(sent_in_outage, 8);
  EXPECT_FALSE(bench.stop().requested());
  EXPECT_TRUE(said.starts_with("paused, waiting for the server to come back, next try in "))
      << said;
  EXPECT_TRUE(said.ends_with("(no connection)")) << said;
}

TEST(ChainAndLimits, AnOutageThatLastsLongerThanACallMayTakeStopsTheRun) {
  Bench bench;
  bench.options_.total_timeout = milliseconds(300);
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    co_await sched::sleep_for(milliseconds(1));
    Attempt attempt = earlier == 0
                          ? FakeModel::make_attempt("well")
                          : FakeModel::make_failure(ErrorKind::Unreachable, "no connection");
    co_return attempt;
  };
  ASSERT_TRUE(bench.ask(model, Bench::make_request("first")));
  start_many(bench, model, 30);
  bench.loop().run();
  EXPECT_EQ(bench.stop().reason().kind, ErrorKind::Unreachable);
  EXPECT_NE(bench.stop().reason().message.find("`timeout`"), std::string::npos);
  for (const auto& result : bench.results_)
    EXPECT_EQ(result.value().error().kind, ErrorKind::Cancelled) << "nothing has failed";
}

}  // namespace
}  // namespace personascope::llm
