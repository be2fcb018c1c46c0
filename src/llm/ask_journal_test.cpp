// What the ask chain tells the journal, and when.
#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

using Bench = ChainBench;

// Answers a look-up later, as a store on a server does.
class LateJournal : public store::Journal {
 public:
  explicit LateJournal(store::Journal& journal) : journal_(journal) {}

  Task<Result<std::optional<Result<core::Reply>>>> find_answer(Digest key) override {
    ++look_ups_;
    co_await sched::sleep_for(milliseconds(5));
    co_return co_await journal_.find_answer(key);
  }
  Task<Result<std::optional<Error>>> find_last_attempt(Digest key) override {
    co_await sched::sleep_for(milliseconds(5));
    co_return co_await journal_.find_last_attempt(key);
  }
  void append(store::CallRecord record,
              std::function<void(Result<store::Kept>)> committed) override {
    journal_.append(std::move(record), std::move(committed));
  }
  void append(store::AttemptRecord record) override { journal_.append(std::move(record)); }

  store::Journal& journal_;
  int look_ups_ = 0;
};

// A chain over it, and what was asked of it at once.
class LateChain {
 public:
  explicit LateChain(Bench& bench)
      : bench_(bench),
        journal_(*bench.store_),
        chain_(bench.loop(), bench.stop(), journal_, bench.budget(), bench.prices_,
               bench.options_) {}

  void start(Model& model, const std::string& text) {
    const auto run = [](LateChain& self, Model& asked, core::Request request) -> Task<void> {
      Draw draw = Bench::make_draw("a");
      Result<core::Reply> reply =
          co_await self.chain_.ask(asked, std::move(request), std::move(draw));
      self.replies_.push_back(std::move(reply));
    };
    bench_.loop().spawn(run(*this, model, Bench::make_request(text)));
  }

  Bench& bench_;
  LateJournal journal_;
  AskChain chain_;
  std::vector<Result<core::Reply>> replies_;
};

TEST(ChainAndLateJournal, EqualAsksThatMeetInALookUpAreSentOnce) {
  Bench bench;
  FakeModel model;
  for (int round = 0; round < 2; ++round) {
    bench.begin();
    LateChain late(bench);
    for (int i = 0; i < 10; ++i) late.start(model, "the same");
    for (int i = 0; i < 10; ++i) late.start(model, std::to_string(i));
    bench.loop().run();
    ASSERT_EQ(late.replies_.size(), 20u);
    for (const auto& reply : late.replies_) EXPECT_TRUE(reply);
    EXPECT_EQ(late.journal_.look_ups_, 11);
    EXPECT_EQ(late.chain_.meter().from_journal, round == 0 ? 0 : 11);
  }
  EXPECT_EQ(model.asked_, 11) << "the second time all of it is in the journal";
}

TEST(ChainAndLateJournal, AStopDuringALookUpSendsNothing) {
  Bench bench;
  FakeModel model;
  LateChain late(bench);
  late.start(model, "x");
  bench.loop().post([&] { bench.stop().request({ErrorKind::Cancelled, "interrupted"}); });
  bench.loop().run();
  ASSERT_EQ(late.replies_.size(), 1u);
  ASSERT_FALSE(late.replies_[0]);
  EXPECT_EQ(late.replies_[0].error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(model.asked_, 0);
}

TEST(ChainAndLateJournal, AReplayWaitsForTheErrorOfTheLastAttempt) {
  Bench bench;
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int) -> Task<Attempt> {
    Attempt attempt = FakeModel::make_failure(ErrorKind::Timeout, "no answer in 60 s");
    co_return attempt;
  };
  EXPECT_FALSE(bench.ask(model, Bench::make_request("x"), Bench::make_draw("a")));
  ASSERT_TRUE(bench.store_->flush());
  const int asked = model.asked_;
  bench.options_.replay = true;
  bench.begin();
  LateChain late(bench);
  late.start(model, "x");
  bench.loop().run();
  ASSERT_EQ(late.replies_.size(), 1u);
  ASSERT_FALSE(late.replies_[0]);
  EXPECT_EQ(late.replies_[0].error().message, "no answer in 60 s");
  EXPECT_EQ(model.asked_, asked);
}

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
