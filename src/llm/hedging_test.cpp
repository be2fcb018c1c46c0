#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

using Bench = ChainBench;

// The first request is slow, every later one quick; a request that is given up says so.
FakeModel::Behaviour first_is_slow(milliseconds delay) {
  return [delay](const core::Request&, Delivery delivery, int earlier) -> Task<Attempt> {
    const TimePoint end = SteadyClock::now() + (earlier == 0 ? delay : milliseconds(1));
    while (SteadyClock::now() < end) {
      if (delivery.cancel && delivery.cancel->requested())
        co_return FakeModel::make_failure(ErrorKind::Cancelled, "given up");
      co_await sched::sleep_for(milliseconds(1));
    }
    Attempt attempt = FakeModel::make_attempt(earlier == 0 ? "slow" : "quick");
    co_return attempt;
  };
}

TEST(Hedging, TakesTheFirstAnswerAndGivesTheOtherUp) {
  Bench bench;
  bench.options_.hedge_after = milliseconds(20);
  FakeModel model;
  model.behave_ = first_is_slow(milliseconds(30'000));
  const TimePoint start = SteadyClock::now();
  const auto reply = bench.ask(model, Bench::make_request("x"));
  EXPECT_EQ(reply->text, "quick");
  EXPECT_LT(SteadyClock::now() - start, seconds(10));
  EXPECT_EQ(bench.chain().meter().sent, 2);
  ASSERT_TRUE(bench.store_->flush());
  const auto spending = bench.store_->reader().load_spending(1);
  EXPECT_EQ(spending->calls, 2) << "the loser was sent too";
  EXPECT_EQ(spending->max_tokens, bench.budget().spent().tokens) << "and may be billed";
  EXPECT_GT(spending->max_tokens, spending->input_tokens + spending->output_tokens);
  bench.begin();
  EXPECT_EQ(bench.ask(model, Bench::make_request("x"))->text, "quick");
  EXPECT_EQ(model.asked_, 2);
}

TEST(Hedging, SendsNoSecondRequestForAQuickAnswer) {
  Bench bench;
  bench.options_.hedge_after = milliseconds(5'000);
  FakeModel model;
  EXPECT_TRUE(bench.ask(model, Bench::make_request("x")));
  EXPECT_EQ(model.asked_, 1);
}

TEST(Hedging, DoesNotTakeTheQueueForSlowness) {
  Bench bench;
  bench.options_.hedge_after = milliseconds(40);
  bench.options_.limiter.limit = {1, 1, false};
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int) -> Task<Attempt> {
    co_await sched::sleep_for(milliseconds(15));
    Attempt attempt = FakeModel::make_attempt("x");
    co_return attempt;
  };
  for (int i = 0; i < 8; ++i)
    bench.start(model, Bench::make_request(std::to_string(i)), Bench::make_draw("a"));
  bench.loop().run();
  EXPECT_EQ(model.asked_, 8);
}

TEST(Hedging, CountsTheTimeFromWhenTheCallIsSent) {
  Bench bench;
  bench.options_.hedge_after = milliseconds(400);
  bench.options_.limiter.limit = {2, 2, false};
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    co_await sched::sleep_for(milliseconds(earlier < 2 ? 500 : 50));
    Attempt attempt = FakeModel::make_attempt("x");
    co_return attempt;
  };
  // Two that hold every slot, and are not hedged since their text is shown as it comes.
  const auto block = [](Bench& b, FakeModel& asked, std::string text) -> Task<void> {
    core::Request request = Bench::make_request(text);
    Draw draw;
    std::function<void(std::string_view)> show = [](std::string_view) {};
    static_cast<void>(
        co_await b.chain().ask(asked, std::move(request), std::move(draw), std::move(show)));
  };
  bench.loop().spawn(block(bench, model, "one"));
  bench.loop().spawn(block(bench, model, "two"));
  // It waits in the queue for longer than it may take, and both slots come free at once.
  bench.start(model, Bench::make_request("three"), Bench::make_draw("a"));
  bench.loop().run();
  EXPECT_EQ(model.asked_, 3) << "a call that was not sent cannot be slow";
}

TEST(Hedging, DoesWithoutTheSecondRequestWhereTheBudgetHasNoRoom) {
  Bench bench;
  bench.options_.hedge_after = milliseconds(10);
  bench.limits_.calls = 1;
  FakeModel model;
  model.behave_ = first_is_slow(milliseconds(60));
  EXPECT_EQ(bench.ask(model, Bench::make_request("x"))->text, "slow");
  EXPECT_EQ(model.asked_, 1);
  EXPECT_FALSE(bench.stop().requested());
}

TEST(Hedging, WaitsForTheSecondIfTheFirstFails) {
  Bench bench;
  bench.options_.hedge_after = milliseconds(10);
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    co_await sched::sleep_for(milliseconds(earlier == 0 ? 20 : 40));
    Attempt attempt = earlier == 0 ? FakeModel::make_failure(ErrorKind::Transient)
                                   : FakeModel::make_attempt("second");
    co_return attempt;
  };
  EXPECT_EQ(bench.ask(model, Bench::make_request("x"))->text, "second");
  EXPECT_EQ(bench.chain().meter().retried, 0);
}

TEST(Hedging, TriesAgainWhenBothFail) {
  Bench bench;
  bench.options_.hedge_after = milliseconds(5);
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    if (earlier < 2) co_await sched::sleep_for(milliseconds(20));
    Attempt attempt = earlier < 2 ? FakeModel::make_failure(ErrorKind::Transient)
                                  : FakeModel::make_attempt("third");
    co_return attempt;
  };
  EXPECT_EQ(bench.ask(model, Bench::make_request("x"))->text, "third");
  EXPECT_EQ(bench.chain().meter().retried, 1);
  ASSERT_TRUE(bench.store_->flush());
  EXPECT_EQ(bench.store_->reader().load_spending(1)->calls, 3);
}

}  // namespace
}  // namespace personascope::llm
