// What the ask chain tells the journal, and when.
#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

using Bench = ChainBench;

TEST(ChainAndJournal, CommitsAnAnswerBeforeItIsUsed) {
  Bench bench;
  FakeModel model;
  const auto check = [](Bench& b, FakeModel& asked) -> Task<bool> {
    core::Request request = Bench::make_request("hello");
    const Call call = make_call(asked.endpoint(), request, Bench::make_draw("a"), "");
    Draw draw = Bench::make_draw("a");
    const auto reply = co_await b.chain().ask(asked, std::move(request), std::move(draw));
    auto other = store::open_sqlite_store(b.folder_.file("s.db"), store::OpenMode::ReadOnly);
    const auto stored = co_await (*other)->find_answer(call.key);
    co_return reply&& stored && *stored && (**stored)->text == reply->text;
  };
  EXPECT_TRUE(sched::run_to_end(bench.loop(), check(bench, model)));
}

TEST(ChainAndJournal, SendsNoMoreThanTheSlotsBeforeAnswersAreCommitted) {
  Bench bench;
  constexpr int kSlots = 3;
  bench.options_.limiter.limit = {kSlots, kSlots, false};
  auto other = store::open_sqlite_store(bench.folder_.file("s.db"), store::OpenMode::ReadOnly);
  FakeModel model;
  std::int64_t most_uncommitted = 0;
  model.behave_ = [&](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    most_uncommitted =
        std::max(most_uncommitted, earlier + 1 - (*other)->reader().load_spending(1).value().calls);
    Attempt attempt = FakeModel::make_attempt("x");
    co_return attempt;
  };
  for (int i = 0; i < 50; ++i)
    bench.start(model, Bench::make_request(std::to_string(i)), Bench::make_draw("a"));
  bench.loop().run();
  EXPECT_EQ(model.asked_, 50);
  EXPECT_EQ(most_uncommitted, kSlots);
}

TEST(ChainAndJournal, RecordsWhatARequestMayHaveCostAtMost) {
  Bench bench;
  ASSERT_TRUE(bench.prices_.add(
      parse_json(R"({"models": {"fake/*": {"input": 1, "output": 2}}})").value()));
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    Attempt attempt = earlier == 0 ? FakeModel::make_failure(ErrorKind::Timeout)
                                   : FakeModel::make_attempt("without usage");
    if (attempt.reply) attempt.reply->usage = {};
    co_return attempt;
  };
  ASSERT_TRUE(bench.ask(model, Bench::make_request("x")));
  ASSERT_TRUE(bench.ask(model, Bench::make_request("y")));
  ASSERT_TRUE(bench.store_->flush());
  const auto spending = bench.store_->reader().load_spending(1);
  ASSERT_TRUE(spending);
  const Spent& counted = bench.budget().spent();
  EXPECT_GT(counted.cost_usd, 0);
  EXPECT_EQ(spending->cost_usd, 0) << "nothing is known to be spent";
  EXPECT_EQ(spending->calls, 3);
  EXPECT_EQ(spending->max_tokens, counted.tokens);
  EXPECT_DOUBLE_EQ(spending->max_cost_usd, counted.cost_usd);
}

TEST(ChainAndJournal, ReturnsTheAnswerThatAnotherProcessStoredFirst) {
  Bench bench;
  FakeModel model;
  const core::Request request = Bench::make_request("x");
  const Call call = make_call(model.endpoint(), request, {}, "");
  // While this process waits for its answer, another one stores its own.
  model.behave_ = [&](const core::Request&, Delivery, int) -> Task<Attempt> {
    auto other = store::open_sqlite_store(bench.folder_.file("s.db"), store::OpenMode::ReadWrite);
    (*other)->append(store::CallRecord{.key = call.key,
                                       .run = 2,
                                       .item = "a",
                                       .role = "model",
                                       .endpoint = call.endpoint,
                                       .request = call.request,
                                       .replicate = call.replicate,
                                       .answer = FakeModel::make_attempt("theirs").reply,
                                       .cost_usd = std::nullopt},
                     nullptr);
    EXPECT_TRUE((*other)->flush());
    Attempt attempt = FakeModel::make_attempt("ours");
    co_return attempt;
  };
  const auto reply = bench.ask(model, request);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "theirs");
  EXPECT_EQ(bench.store_->reader().load_spending(1)->calls, 1) << "ours was paid all the same";
}

}  // namespace
}  // namespace personascope::llm
