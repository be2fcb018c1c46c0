// When the chain asks for an answer once more: an empty one, and a stored error.
#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

using Bench = ChainBench;

// Answers with these in turn, the last one for ever.
FakeModel::Behaviour say_in_turn(std::vector<std::string> texts) {
  return [texts](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    const std::size_t place =
        std::min<std::size_t>(static_cast<std::size_t>(earlier), texts.size() - 1);
    Attempt attempt = FakeModel::make_attempt(texts[place]);
    co_return attempt;
  };
}

// Fails so often, then answers.
FakeModel::Behaviour fail_so_often(int times, ErrorKind kind) {
  return [times, kind](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    Attempt attempt = earlier < times
                          ? FakeModel::make_failure(kind, "no. " + std::to_string(earlier))
                          : FakeModel::make_attempt("well");
    co_return attempt;
  };
}

TEST(AskAgain, AsksOnceMoreForAnEmptyAnswer) {
  Bench bench;
  FakeModel model;
  model.behave_ = say_in_turn({"", "well"});
  const auto reply = bench.ask(model, Bench::make_request("x"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "well");
  EXPECT_EQ(model.asked_, 2);
  EXPECT_EQ(bench.chain().meter().retried, 1);
  ASSERT_TRUE(bench.store_->flush());
  const auto spending = bench.store_->reader().load_spending(1);
  EXPECT_EQ(spending->calls, 2);
  EXPECT_EQ(spending->max_tokens, 30) << "the empty one was paid too";
}

TEST(AskAgain, TakesTheSecondEmptyAnswer) {
  Bench bench;
  bench.options_.limiter.limit = {1, 1, false};  // so that a slot that was kept would be missed
  FakeModel model;
  model.behave_ = say_in_turn({" \n"});
  const auto reply = bench.ask(model, Bench::make_request("x"));
  ASSERT_TRUE(reply);
  EXPECT_TRUE(core::is_empty(*reply));
  EXPECT_EQ(model.asked_, 2);
  bench.begin();
  ASSERT_TRUE(bench.ask(model, Bench::make_request("x")));
  EXPECT_EQ(model.asked_, 2) << "it is the answer from then on";
}

TEST(AskAgain, DoesNotAskAgainWhereThatIsForbiddenOrUseless) {
  FakeModel model;
  model.behave_ = say_in_turn({""});
  Bench without_retries;
  without_retries.options_.retry.max_retries = 0;
  ASSERT_TRUE(without_retries.ask(model, Bench::make_request("x")));
  EXPECT_EQ(model.asked_, 1);
  Bench local;
  model.features_.local_slots = 1;
  ASSERT_TRUE(local.ask(model, Bench::make_request("x")));
  EXPECT_EQ(model.asked_, 2) << "a model in this program would give the same again";
  model.features_ = {.likelihood = true};
  core::Request reading = Bench::make_request("x");
  reading.continuation = "";
  Bench bench;
  ASSERT_TRUE(bench.ask(model, reading));
  EXPECT_EQ(model.asked_, 3);
}

TEST(AskAgain, AsksStoredErrorsAgainOnlyIfTold) {
  for (const ErrorKind kind : {ErrorKind::Invalid, ErrorKind::ContextTooLong}) {
    Bench bench;
    FakeModel model;
    model.behave_ = fail_so_often(2, kind);
    EXPECT_FALSE(bench.ask(model, Bench::make_request("x")));
    bench.begin();
    EXPECT_FALSE(bench.ask(model, Bench::make_request("x")));
    EXPECT_EQ(model.asked_, 1);

    bench.options_.retry_failed = true;
    bench.begin();
    EXPECT_EQ(bench.ask(model, Bench::make_request("x")).error().message, "no. 1");
    EXPECT_EQ(bench.ask(model, Bench::make_request("x")).error().message, "no. 1");
    EXPECT_EQ(model.asked_, 2) << "once in a session";
    bench.begin();
    EXPECT_EQ(bench.ask(model, Bench::make_request("x"))->text, "well");
    EXPECT_EQ(model.asked_, 3);

    bench.options_.retry_failed = false;
    bench.begin();
    EXPECT_EQ(bench.ask(model, Bench::make_request("x"))->text, "well");
    EXPECT_EQ(model.asked_, 3) << "the newest answer counts from then on";
  }
}

TEST(AskAgain, KeepsGoodAnswersAndRefusals) {
  Bench bench;
  bench.options_.retry_failed = true;
  FakeModel model;
  ASSERT_TRUE(bench.ask(model, Bench::make_request("x")));
  model.behave_ = fail_so_often(99, ErrorKind::Refused);
  EXPECT_FALSE(bench.ask(model, Bench::make_request("y")));
  bench.begin();
  EXPECT_TRUE(bench.ask(model, Bench::make_request("x")));
  EXPECT_FALSE(bench.ask(model, Bench::make_request("y")));
  EXPECT_EQ(model.asked_, 2);
}

TEST(AskAgain, AReplaySendsNothingAndGivesTheNewestAnswer) {
  Bench bench;
  FakeModel model;
  model.behave_ = fail_so_often(1, ErrorKind::Invalid);
  EXPECT_FALSE(bench.ask(model, Bench::make_request("x")));
  bench.options_.retry_failed = true;
  bench.options_.replay = true;
  bench.begin();
  EXPECT_EQ(bench.ask(model, Bench::make_request("x")).error().kind, ErrorKind::Invalid);
  EXPECT_FALSE(bench.stop().requested());
  bench.options_.replay = false;
  bench.begin();
  EXPECT_TRUE(bench.ask(model, Bench::make_request("x")));
  bench.options_.replay = true;
  bench.begin();
  EXPECT_TRUE(bench.ask(model, Bench::make_request("x")));
  EXPECT_EQ(model.asked_, 2);
}

TEST(AskChain, TellsEachRoleHowMuchToThink) {
  ChainBench bench;
  bench.options_.thinking["judge"] = {.effort = "low", .budget = {}};
  FakeModel model;
  model.features_.thinking = true;
  model.features_.likelihood = true;
  const auto ask = [&](core::Request request, std::string_view role) {
    EXPECT_TRUE(bench.ask(model, std::move(request), ChainBench::make_draw("x", role)));
  };
  ask(ChainBench::make_request("a"), kModelRole);
  ask(ChainBench::make_request("b"), kJudgeRole);
  core::Request own = ChainBench::make_request("c");
  own.thinking.effort = "high";
  ask(own, kJudgeRole);
  core::Request reading = ChainBench::make_request("d");
  reading.continuation = "text";
  ask(reading, kJudgeRole);
  ASSERT_EQ(model.requests_.size(), 4u);
  EXPECT_FALSE(model.requests_[0].thinking.effort) << "so the key is what it was";
  EXPECT_EQ(model.requests_[1].thinking.effort, "low");
  EXPECT_EQ(model.requests_[2].thinking.effort, "high");
  EXPECT_FALSE(model.requests_[3].thinking.effort) << "nothing is written";
}

TEST(AskChain, StopsIfTheModelCannotBeToldHowMuchToThink) {
  ChainBench bench;
  bench.options_.thinking["model"] = {.effort = "low", .budget = {}};
  FakeModel model;
  const auto reply = bench.ask(model, ChainBench::make_request("a"));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Misconfigured);
  EXPECT_TRUE(bench.stop().requested());
  EXPECT_EQ(model.asked_, 0);
}

}  // namespace
}  // namespace personascope::llm
