// What the chain does for models that think: tells them how much, and keeps it apart from the
// answer.
#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

TEST(AskThinking, TellsEachRoleHowMuchToThink) {
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

TEST(AskThinking, StopsIfTheModelCannotBeToldHowMuchToThink) {
  ChainBench bench;
  bench.options_.thinking["model"] = {.effort = "low", .budget = {}};
  FakeModel model;
  const auto reply = bench.ask(model, ChainBench::make_request("a"));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Misconfigured);
  EXPECT_TRUE(bench.stop().requested());
  EXPECT_EQ(model.asked_, 0);
}

TEST(AskThinking, IsKeptApartFromTheAnswerOfAnyModel) {
  ChainBench bench;
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery delivery, int) -> Task<Attempt> {
    for (const char* piece : {"<thi", "nk>Hm", ".</think>", "\n\nY", "es."})
      delivery.on_text(piece);
    Attempt attempt = FakeModel::make_attempt("<think>Hm.</think>\n\nYes.");
    co_return attempt;
  };
  std::string heard;
  const auto ask = [&] {
    return sched::run_to_end(bench.loop(),
                             bench.chain().ask(model, ChainBench::make_request("x"), {},
                                               [&heard](std::string_view text) { heard += text; }));
  };
  const auto reply = ask();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "Yes.");
  EXPECT_EQ(reply->thinking, "Hm.");
  EXPECT_EQ(heard, "Yes.");
  bench.begin();
  const auto stored = ask();
  EXPECT_EQ(stored->text, "Yes.");
  EXPECT_EQ(stored->thinking, "Hm.");
  EXPECT_EQ(model.asked_, 1);
}

TEST(AskThinking, ThatUsesUpTheLimitLeavesAnEmptyAnswerWhichIsNotAskedAgain) {
  ChainBench bench;
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int) -> Task<Attempt> {
    Attempt attempt = FakeModel::make_attempt("<think>Hm, and");
    attempt.reply->finish = core::FinishReason::Length;
    co_return attempt;
  };
  const auto reply = bench.ask(model, ChainBench::make_request("x"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(core::outcome_of(reply), core::Outcome::Empty);
  EXPECT_EQ(reply->thinking, "Hm, and");
  EXPECT_EQ(model.asked_, 1);
}

}  // namespace
}  // namespace personascope::llm
