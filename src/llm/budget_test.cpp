#include "llm/budget.hpp"

#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

constexpr CallSize kSize{100, 100};
constexpr Price kPrice{10'000, 10'000, 10'000};  // a cent a token

struct Bank {
  explicit Bank(const BudgetLimits& limits, const Spent& already = {})
      : budget(loop, stop, limits, already) {}

  Result<void> spend(std::int64_t tokens, std::optional<Price> price = kPrice) {
    return sched::run_to_end(
        loop, [](Bank& bank, std::int64_t count, std::optional<Price> cost) -> Task<Result<void>> {
          auto reservation = co_await bank.budget.reserve(kSize, cost);
          if (!reservation) co_return std::unexpected(std::move(reservation).error());
          reservation->settle(count, static_cast<double>(count) / 100);
          co_return Result<void>{};
        }(*this, tokens, price));
  }

  sched::Loop loop;
  sched::Stop stop{loop};
  Budget budget;
};

Task<void> spend_later(Bank& bank, std::int64_t tokens, int& done, double& worst) {
  auto reservation = co_await bank.budget.reserve(kSize, kPrice);
  if (!reservation) co_return;
  co_await sched::sleep_for(milliseconds(1));
  reservation->settle(tokens, static_cast<double>(tokens) / 100);
  worst = std::max(worst, bank.budget.spent().cost_usd);
  ++done;
}

TEST(Budget, NeverOverspendsWithAThousandCallsAtOnce) {
  for (const std::int64_t tokens : {200, 120, 7}) {
    Bank bank({.cost_usd = 100.0, .calls = std::nullopt, .tokens = std::nullopt});
    int done = 0;
    double worst = 0;
    for (int i = 0; i < 1000; ++i) bank.loop.spawn(spend_later(bank, tokens, done, worst));
    bank.loop.run();
    EXPECT_LE(worst, 100.0) << tokens;
    EXPECT_GE(bank.budget.spent().cost_usd, tokens == 7 ? 69.9 : 98) << "and stops no earlier";
    EXPECT_EQ(bank.stop.requested(), tokens != 7);
  }
}

TEST(Budget, LimitsCallsAndTokensToo) {
  Bank calls({.cost_usd = {}, .calls = 10, .tokens = {}});
  Bank tokens({.cost_usd = {}, .calls = {}, .tokens = 2000});
  int done = 0;
  double worst = 0;
  for (int i = 0; i < 100; ++i) calls.loop.spawn(spend_later(calls, 200, done, worst));
  calls.loop.run();
  EXPECT_EQ(done, 10);
  for (int i = 0; i < 100; ++i) tokens.loop.spawn(spend_later(tokens, 200, done, worst));
  tokens.loop.run();
  EXPECT_EQ(done, 20);
  EXPECT_EQ(tokens.stop.reason().kind, ErrorKind::BudgetExhausted);
  EXPECT_EQ(
      tokens.stop.reason().message,
      "the run's limit of 2000 tokens (2000 are used, a call may take 200) leaves no room for "
      "another call");
}

TEST(Budget, WaitsForCallsThatTurnOutCheap) {
  Bank bank({.cost_usd = 3.0, .calls = {}, .tokens = {}});  // room for one feared call at a time
  int done = 0;
  double worst = 0;
  for (int i = 0; i < 20; ++i) bank.loop.spawn(spend_later(bank, 5, done, worst));
  bank.loop.run();
  EXPECT_EQ(done, 20);
  EXPECT_FALSE(bank.stop.requested());
}

TEST(Budget, MeetsALimitExactly) {
  Bank bank({.cost_usd = 0.3 * 2, .calls = {}, .tokens = {}});
  const Price price{1000, 1000, 1000};  // 0.2 a feared call
  for (int i = 0; i < 3; ++i) {
    const auto reserved = sched::run_to_end(bank.loop, bank.budget.reserve(kSize, price));
    ASSERT_TRUE(reserved) << i;
  }
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bank.spend(20, price)) << i;
}

TEST(Budget, GivesBackWhatWasNeverSent) {
  Bank bank({.cost_usd = {}, .calls = 1, .tokens = {}});
  {
    auto unused = sched::run_to_end(bank.loop, bank.budget.reserve(kSize, kPrice));
  }
  EXPECT_TRUE(bank.spend(1));
  EXPECT_EQ(bank.budget.spent().calls, 1);
}

TEST(Budget, CountsWhatEarlierSessionsSpent) {
  Bank bank({.cost_usd = {}, .calls = 5, .tokens = {}}, {.cost_usd = 0, .calls = 4, .tokens = 0});
  EXPECT_TRUE(bank.spend(1));
  EXPECT_EQ(bank.spend(1).error().kind, ErrorKind::BudgetExhausted);
}

TEST(Budget, StopsARunWhoseMoneyIsLimitedAndWhosePriceIsUnknown) {
  Bank bank({.cost_usd = 1.0, .calls = {}, .tokens = {}});
  EXPECT_EQ(bank.spend(1, std::nullopt).error().kind, ErrorKind::BudgetExhausted);
  EXPECT_TRUE(bank.stop.requested());
}

TEST(Budget, WakesItsWaitersOnAStop) {
  Bank bank({.cost_usd = {}, .calls = 1, .tokens = {}});
  std::optional<Result<Budget::Reservation>> waiting;
  const auto hold = [](Bank& b) -> Task<void> {
    auto held = co_await b.budget.reserve(kSize, kPrice);
    co_await sched::sleep_for(milliseconds(10));
    b.stop.request({ErrorKind::Cancelled, "interrupted"});
    co_await sched::sleep_for(milliseconds(10));
  };
  const auto wait = [](Bank& b, std::optional<Result<Budget::Reservation>>& out) -> Task<void> {
    out.emplace(co_await b.budget.reserve(kSize, kPrice));
  };
  bank.loop.spawn(hold(bank));
  bank.loop.spawn(wait(bank, waiting));
  bank.loop.run();
  EXPECT_EQ(waiting.value().error().kind, ErrorKind::Cancelled);
}

TEST(Budget, FindsRoomWithoutAskingForAStop) {
  Bank bank({.cost_usd = {}, .calls = 1, .tokens = {}});
  {
    const auto room = bank.budget.find_room(kSize, kPrice);
    EXPECT_TRUE(room);
    EXPECT_FALSE(bank.budget.find_room(kSize, kPrice));
  }
  EXPECT_TRUE(bank.budget.find_room(kSize, kPrice));
  EXPECT_FALSE(bank.stop.requested());
}

// A provider that does not say what a call took must not make the limit void.
TEST(Budget, TakesAnAnswerOfUnknownCostForAsDearAsItMayBe) {
  ChainBench bench;
  ASSERT_TRUE(bench.prices_.add({{"models", {{"fake/model", {{"input", 1e6}, {"output", 1e6}}}}}}));
  bench.limits_.cost_usd = 100;  // a call of 20 + some tokens may cost 30 or so
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int) -> Task<Attempt> {
    Attempt attempt = FakeModel::make_attempt("x");
    attempt.reply->usage = {};
    co_return attempt;
  };
  for (int i = 0; i < 10; ++i)
    bench.start(model, ChainBench::make_request(std::to_string(i)), ChainBench::make_draw("a"));
  bench.loop().run();
  EXPECT_GE(model.asked_, 2);
  EXPECT_LE(model.asked_, 4);
  EXPECT_EQ(bench.chain().meter().unpriced, model.asked_);
  EXPECT_EQ(bench.stop().reason().kind, ErrorKind::BudgetExhausted);
}

}  // namespace
}  // namespace personascope::llm
