#include "llm/ask_chain.hpp"

#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

using Bench = ChainBench;

FakeModel::Behaviour fail_first(int times, ErrorKind kind) {
  return [times, kind](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    Attempt attempt =
        earlier < times ? FakeModel::make_failure(kind) : FakeModel::make_attempt("well");
    co_return attempt;
  };
}

FakeModel::Behaviour answer_after(milliseconds delay) {
  return [delay](const core::Request&, Delivery, int) -> Task<Attempt> {
    co_await sched::sleep_for(delay);
    Attempt attempt = FakeModel::make_attempt("late");
    co_return attempt;
  };
}

TEST(AskChain, AsksNothingThatTheJournalKnows) {
  Bench bench;
  FakeModel model;
  const auto first = bench.ask(model, Bench::make_request("hello"));
  bench.begin();
  const auto second = bench.ask(model, Bench::make_request("hello"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->text, "hello");
  EXPECT_EQ(second->model, first->model);
  EXPECT_EQ(second->usage.input_tokens, 10);
  EXPECT_EQ(model.asked_, 1);
  EXPECT_EQ(bench.chain().meter().from_journal, 1);
  EXPECT_EQ(bench.chain().meter().sent, 0);
}

TEST(AskChain, SendsEqualDrawsInFlightOnce) {
  Bench bench;
  FakeModel model;
  model.behave_ = answer_after(milliseconds(20));
  for (int i = 0; i < 100; ++i)
    bench.start(model, Bench::make_request("same"), Bench::make_draw(std::to_string(i)));
  bench.loop().run();
  EXPECT_EQ(model.asked_, 1);
  EXPECT_EQ(bench.chain().meter().joined, 99);
  EXPECT_EQ(bench.chain().meter().ended, 100);
  for (const auto& result : bench.results_) EXPECT_EQ(result.value()->text, "late");
}

TEST(AskChain, SendsIndependentDrawsEach) {
  Bench bench;
  FakeModel model;
  model.behave_ = answer_after(milliseconds(5));
  for (int i = 0; i < 10; ++i)
    bench.start(model, Bench::make_request("same", 0.9), Bench::make_draw(std::to_string(i)));
  bench.loop().run();
  EXPECT_EQ(model.asked_, 10);
}

TEST(AskChain, KeepsPermanentErrorsAsAnswers) {
  for (const ErrorKind kind : {ErrorKind::Refused, ErrorKind::ContextTooLong, ErrorKind::Invalid}) {
    Bench bench;
    FakeModel model;
    model.behave_ = fail_first(1, kind);
    const auto live = bench.ask(model, Bench::make_request("x"));
    bench.begin();
    const auto again = bench.ask(model, Bench::make_request("x"));
    EXPECT_EQ(model.asked_, 1) << name_of(kind);
    ASSERT_FALSE(again) << name_of(kind);
    EXPECT_EQ(again.error().kind, kind);
    EXPECT_EQ(again.error().message, live.error().message);
    EXPECT_FALSE(bench.stop().requested());
  }
}

TEST(AskChain, TriesTransientErrorsAgainAndRecordsThemAsAttempts) {
  for (const ErrorKind kind : {ErrorKind::Transient, ErrorKind::Timeout}) {
    Bench bench;
    FakeModel model;
    model.behave_ = fail_first(2, kind);
    const auto reply = bench.ask(model, Bench::make_request("x"));
    ASSERT_TRUE(reply) << name_of(kind);
    EXPECT_EQ(reply->text, "well");
    EXPECT_EQ(model.asked_, 3);
    EXPECT_EQ(bench.chain().meter().retried, 2);
    ASSERT_TRUE(bench.store_->flush());
    EXPECT_EQ(bench.store_->reader().load_spending(1)->calls, 3);
  }
}

TEST(AskChain, BoundsItsRetriesAndLetsTheNextRunTryAgain) {
  Bench bench;
  FakeModel model;
  model.behave_ = fail_first(4, ErrorKind::Transient);
  const auto failed = bench.ask(model, Bench::make_request("x"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "as told (after 4 tries)");
  EXPECT_EQ(model.asked_, 4);
  EXPECT_EQ(bench.chain().meter().failed, 1);
  EXPECT_FALSE(bench.stop().requested());
  bench.begin();
  EXPECT_TRUE(bench.ask(model, Bench::make_request("x")));
}

TEST(AskChain, GivesUpWhenTheCallsTimeIsUp) {
  Bench bench;
  bench.options_.total_timeout = milliseconds(50);
  bench.options_.retry = {100, milliseconds(20), milliseconds(20)};
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery delivery, int) -> Task<Attempt> {
    EXPECT_LE(delivery.time_left, milliseconds(50));
    Attempt attempt = FakeModel::make_failure(ErrorKind::Transient);
    co_return attempt;
  };
  EXPECT_FALSE(bench.ask(model, Bench::make_request("x")));
  EXPECT_GE(model.asked_, 2);
  EXPECT_LE(model.asked_, 6);
}

TEST(AskChain, DoesNotCountTheQueueAsTheCallsTime) {
  Bench bench;
  bench.options_.total_timeout = milliseconds(60);
  bench.options_.limiter.limit = {1, 1, false};
  FakeModel model;
  model.behave_ = [](const core::Request& request, Delivery, int) -> Task<Attempt> {
    const bool is_first = request.messages.back().content == "first";
    if (is_first) co_await sched::sleep_for(milliseconds(100));
    static int tries = 0;
    Attempt attempt = !is_first && tries++ == 0 ? FakeModel::make_failure(ErrorKind::Transient)
                                                : FakeModel::make_attempt("ok");
    co_return attempt;
  };
  bench.start(model, Bench::make_request("first"), Bench::make_draw("1"));
  bench.start(model, Bench::make_request("second"), Bench::make_draw("2"));
  bench.loop().run();
  EXPECT_TRUE(bench.results_[1].value()) << "it had its 60 ms from when it was sent";
}

TEST(AskChain, StopsTheRunOnErrorsThatEveryCallWouldMeet) {
  for (const ErrorKind kind :
       {ErrorKind::Unauthorized, ErrorKind::NotFound, ErrorKind::Misconfigured}) {
    Bench bench;
    bench.options_.limiter.limit = {1, 1, false};
    FakeModel model;
    model.behave_ = [kind](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
      co_await sched::sleep_for(milliseconds(5));  // the others queue meanwhile
      Attempt attempt =
          earlier == 0 ? FakeModel::make_failure(kind) : FakeModel::make_attempt("well");
      co_return attempt;
    };
    for (const char* item : {"a", "b", "c"})
      bench.start(model, Bench::make_request(item), Bench::make_draw(item));
    bench.loop().run();
    EXPECT_EQ(model.asked_, 1) << name_of(kind);
    EXPECT_EQ(bench.stop().reason().kind, kind);
    EXPECT_EQ(bench.results_[0].value().error().kind, kind);
    EXPECT_EQ(bench.results_[2].value().error().kind, ErrorKind::Cancelled);
    bench.begin();
    EXPECT_TRUE(bench.ask(model, Bench::make_request("a"))) << "not an answer for ever";
  }
}

TEST(AskChain, StopsTheRunWhenAnswersCannotBeKept) {
  Bench bench;
  bench.open_store({.max_pages = 1});
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int) -> Task<Attempt> {
    std::string noise;  // what does not compress
    Random random(1);
    for (int i = 0; i < 200'000; ++i) noise += static_cast<char>('!' + random.below(90));
    Attempt attempt = FakeModel::make_attempt(std::move(noise));
    co_return attempt;
  };
  const auto reply = bench.ask(model, Bench::make_request("x"));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Storage);
  EXPECT_TRUE(bench.stop().requested());
}

TEST(AskChain, ReplaysAnswersAndFinalFailuresWordForWord) {
  Bench bench;
  FakeModel model;
  model.behave_ = [](const core::Request& request, Delivery, int) -> Task<Attempt> {
    Attempt attempt = request.messages.back().content == "broken"
                          ? FakeModel::make_failure(ErrorKind::Transient, "HTTP 500")
                          : FakeModel::make_attempt("fine");
    co_return attempt;
  };
  ASSERT_TRUE(bench.ask(model, Bench::make_request("good")));
  const auto live = bench.ask(model, Bench::make_request("broken"));
  ASSERT_TRUE(bench.store_->flush());
  const int asked = model.asked_;

  bench.options_.replay = true;
  bench.begin();
  EXPECT_EQ(bench.ask(model, Bench::make_request("good"))->text, "fine");
  const auto replayed = bench.ask(model, Bench::make_request("broken"));
  EXPECT_EQ(replayed.error().kind, live.error().kind);
  EXPECT_EQ(replayed.error().message, live.error().message);
  EXPECT_EQ(model.asked_, asked);
  EXPECT_FALSE(bench.stop().requested());
}

TEST(AskChain, SaysWhichCallAReplayMisses) {
  Bench bench;
  bench.options_.replay = true;
  FakeModel model;
  const auto missing = bench.ask(model, Bench::make_request("never asked"), Bench::make_draw("a7"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::NotFound);
  EXPECT_NE(missing.error().message.find("\"a7\""), std::string::npos);
  EXPECT_EQ(model.asked_, 0);
  EXPECT_TRUE(bench.stop().requested());
  ASSERT_EQ(bench.chain().misses().size(), 1u);
  EXPECT_EQ(bench.chain().misses()[0].draw.item, "a7");

  bench.options_.stop_on_miss = false;
  bench.begin();
  EXPECT_FALSE(bench.ask(model, Bench::make_request("never asked")));
  EXPECT_FALSE(bench.stop().requested());
}

TEST(AskChain, ReusesNothingInAFreshRunButItsOwnAnswers) {
  Bench bench;
  FakeModel model;
  ASSERT_TRUE(bench.ask(model, Bench::make_request("x")));
  bench.options_.fresh = true;
  bench.options_.salt = "run-2";
  bench.begin();
  ASSERT_TRUE(bench.ask(model, Bench::make_request("x")));
  EXPECT_EQ(model.asked_, 2);
  bench.begin();  // resumed
  ASSERT_TRUE(bench.ask(model, Bench::make_request("x")));
  EXPECT_EQ(model.asked_, 2);
}

TEST(AskChain, AsksOnlyTheJudgeAgainWhenRescoring) {
  Bench bench;
  FakeModel model;
  bench.options_.fresh = true;  // the first run kept its answers apart
  const auto ask_both = [&] {
    bench.begin();
    const auto answer = bench.ask(model, Bench::make_request("q"), Bench::make_draw("a"));
    const auto verdict =
        bench.ask(model, Bench::make_request("judge q"), Bench::make_draw("a", kJudgeRole));
    EXPECT_TRUE(answer && verdict);
  };
  ask_both();
  EXPECT_EQ(model.asked_, 2);
  bench.options_.salt = "run-2";
  bench.options_.fresh_roles = {std::string(kJudgeRole)};
  bench.options_.replay_roles = {std::string(kModelRole)};
  bench.options_.replay_salt = "run-1";
  ask_both();
  EXPECT_EQ(model.asked_, 3);
  EXPECT_EQ(model.requests_.back().messages.back().content, "judge q");
}

TEST(AskChain, LetsCallsInFlightFinishOnAStopAndBeginsNoOther) {
  Bench bench;
  bench.options_.limiter.limit = {1, 1, false};
  FakeModel model;
  model.behave_ = answer_after(milliseconds(30));
  bench.start(model, Bench::make_request("1"), Bench::make_draw("1"));
  bench.start(model, Bench::make_request("2"), Bench::make_draw("2"));
  const auto interrupt = [](Bench& b) -> Task<void> {
    co_await sched::sleep_for(milliseconds(5));
    b.stop().request({ErrorKind::Cancelled, "interrupted"});
  };
  bench.loop().spawn(interrupt(bench));
  bench.loop().run();
  EXPECT_EQ(bench.results_[0].value()->text, "late");
  EXPECT_EQ(bench.results_[1].value().error().kind, ErrorKind::Cancelled);
}

TEST(AskChain, WakesACallThatWaitsForItsNextTryOnAStop) {
  Bench bench;
  bench.options_.retry = {5, milliseconds(60'000), milliseconds(60'000)};
  FakeModel model;
  model.behave_ = fail_first(9, ErrorKind::Transient);
  bench.start(model, Bench::make_request("1"), Bench::make_draw("1"));
  std::string said;
  const auto interrupt = [](Bench& b, std::string& heard) -> Task<void> {
    co_await sched::sleep_for(milliseconds(10));
    heard = b.chain().describe_wait();
    b.stop().request({ErrorKind::Cancelled, "interrupted"});
  };
  bench.loop().spawn(interrupt(bench, said));
  const TimePoint start = SteadyClock::now();
  bench.loop().run();
  EXPECT_LT(SteadyClock::now() - start, seconds(10));
  EXPECT_EQ(bench.results_[0].value().error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(said, "waiting to try 1 again (as told)");
}

TEST(AskChain, GivesEachRoleSlotsOfItsOwn) {
  Bench bench;
  bench.options_.limiter.limit = {1, 1, false};
  FakeModel model;
  model.behave_ = answer_after(milliseconds(20));
  for (const std::string_view role : {kModelRole, kUserRole, kJudgeRole})
    for (int i = 0; i < 2; ++i)
      bench.start(model, Bench::make_request(fmt::format("{} {}", role, i)),
                  Bench::make_draw("a", role));
  bench.loop().run();
  EXPECT_EQ(model.in_flight_peak_, 3);
}

TEST(AskChain, HandsOnTheTextOfLiveStoredAndJoinedAnswers) {
  Bench bench;
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery delivery, int earlier) -> Task<Attempt> {
    co_await sched::sleep_for(milliseconds(5));
    delivery.on_text("half");
    Attempt attempt = earlier == 0 ? FakeModel::make_failure(ErrorKind::Transient)
                                   : FakeModel::make_attempt("half and half");
    if (attempt.reply) delivery.on_text(" and half");
    co_return attempt;
  };
  std::string heard, joined, stored;
  const auto listen = [](Bench& b, Model& asked, std::string& text) -> Task<void> {
    core::Request request = Bench::make_request("x");
    Draw draw = Bench::make_draw("a");
    std::function<void(std::string_view)> listener = [&text](std::string_view piece) {
      text += piece;
    };
    const auto reply =
        co_await b.chain().ask(asked, std::move(request), std::move(draw), std::move(listener));
    EXPECT_TRUE(reply);
  };
  bench.loop().spawn(listen(bench, model, heard));
  bench.loop().spawn(listen(bench, model, joined));
  bench.loop().run();
  bench.loop().spawn(listen(bench, model, stored));
  bench.loop().run();
  EXPECT_EQ(heard, "half and half");  // what the first attempt showed is not shown again
  EXPECT_EQ(joined, "half and half");
  EXPECT_EQ(stored, "half and half");
}

}  // namespace
}  // namespace personascope::llm
