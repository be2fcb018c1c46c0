#include "judge/likelihood_judge.hpp"

#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::judge {
namespace {

using Bench = llm::ChainBench;

const std::vector<std::string> kPersonas{"a sailor", "a baker", "a monk"};
const LikelihoodPrompts kPrompts{"Be {persona}.", "Be anyone.", "Hm."};

// Reads two tokens: -3 each, the second one likelier for a sailor and a baker.
llm::FakeModel make_reader() {
  llm::FakeModel model;
  model.features_.likelihood = true;
  model.behave_ = [](const core::Request& request, llm::Delivery, int) -> Task<llm::Attempt> {
    llm::Attempt attempt = llm::FakeModel::make_attempt(request.continuation.value_or(""));
    const std::string& system = request.messages.front().content;
    double second = -3;
    if (system.find("sailor") != std::string::npos) second = -1;
    if (system.find("baker") != std::string::npos) second = -2;
    attempt.reply->logprobs = {{{"Ahoy", -3}, {}}, {{" sailor", second}, {}}};
    co_return attempt;
  };
  return model;
}

Result<PersonaReading> read(Bench& bench, const LikelihoodJudge& judge, const std::string& answer,
                            std::size_t persona, std::vector<std::size_t> candidates) {
  return sched::run_to_end(bench.loop(), judge.read(bench.chain(), "a1", "Who goes there?", answer,
                                                    persona, std::move(candidates)));
}

TEST(LikelihoodJudge, ReadsAnAnswerUnderNobodyItsPersonaAndTheOthers) {
  Bench bench;
  llm::FakeModel model = make_reader();
  const auto judge = LikelihoodJudge::create(model, kPersonas, kPrompts).value();
  const auto reading = read(bench, judge, "Ahoy sailor", 0, {0, 1, 2}).value();
  EXPECT_EQ(reading.id, "a1");
  EXPECT_EQ(reading.tokens, 2u);
  EXPECT_EQ(reading.neutral, -3);
  ASSERT_EQ(reading.candidates.size(), 3u);
  EXPECT_EQ(reading.candidates[0].score, -2);
  EXPECT_EQ(reading.candidates[1].score, -2.5);
  EXPECT_EQ(reading.candidates[2].score, -3);
  EXPECT_EQ(reading.lift(), 1);
  EXPECT_EQ(reading.parroted, 1) << "all of it falls on the persona's own word";
  ASSERT_EQ(model.requests_.size(), 4u);
  EXPECT_EQ(model.requests_[0].messages[0].content, "Be anyone.");
  EXPECT_EQ(model.requests_[1].messages[0].content, "Be a sailor.");
  EXPECT_EQ(model.requests_[1].messages[1].content, "Who goes there?");
  EXPECT_EQ(model.requests_[1].continuation, "Ahoy sailor");
}

TEST(LikelihoodJudge, TheTruePersonaComesFirstWhereverItStandsAmongTheCandidates) {
  Bench bench;
  llm::FakeModel model = make_reader();
  const auto judge = LikelihoodJudge::create(model, kPersonas, kPrompts).value();
  for (const std::vector<std::size_t>& candidates : {std::vector<std::size_t>{0, 1}, {0}}) {
    const auto reading = read(bench, judge, "Ahoy sailor", 1, candidates).value();
    ASSERT_EQ(reading.candidates.size(), 2u);
    EXPECT_EQ(reading.candidates[0].persona, 1u);
    EXPECT_EQ(reading.parroted, 0);
  }
  EXPECT_EQ(model.asked_, 3) << "the second time everything is in the journal";
}

TEST(LikelihoodJudge, RefusesWhatItCannotRead) {
  Bench bench;
  llm::FakeModel mute;
  const auto unsupported = LikelihoodJudge::create(mute, kPersonas, kPrompts);
  ASSERT_FALSE(unsupported);
  EXPECT_EQ(unsupported.error().kind, ErrorKind::Unsupported);
  EXPECT_NE(unsupported.error().message.find("embedded/"), std::string::npos);
  llm::FakeModel model = make_reader();
  EXPECT_FALSE(LikelihoodJudge::create(model, {}, kPrompts));
  EXPECT_FALSE(LikelihoodJudge::create(model, kPersonas, {"no place", "", ""}));
  const auto judge = LikelihoodJudge::create(model, kPersonas, kPrompts).value();
  EXPECT_EQ(read(bench, judge, " \n", 0, {}).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(read(bench, judge, "Ahoy", 3, {}).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(read(bench, judge, "Ahoy", 0, {7}).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(model.asked_, 0);
}

TEST(LikelihoodJudge, AReaderThatCountsTokensDifferentlyOrNotAtAllIsUnread) {
  Bench bench;
  llm::FakeModel model = make_reader();
  model.behave_ = [](const core::Request&, llm::Delivery, int earlier) -> Task<llm::Attempt> {
    llm::Attempt attempt = llm::FakeModel::make_attempt("x");
    attempt.reply->logprobs.resize(earlier == 1 ? 2 : 1);
    co_return attempt;
  };
  const auto judge = LikelihoodJudge::create(model, kPersonas, kPrompts).value();
  EXPECT_EQ(read(bench, judge, "x", 0, {}).error().kind, ErrorKind::Unparsable);
  model.behave_ = [](const core::Request&, llm::Delivery, int) -> Task<llm::Attempt> {
    llm::Attempt attempt = llm::FakeModel::make_attempt("x");
    co_return attempt;
  };
  EXPECT_EQ(read(bench, judge, "y", 0, {}).error().kind, ErrorKind::Unparsable);
}

TEST(LikelihoodJudge, ItsOwnPromptsDifferInThePersonaAlone) {
  const LikelihoodPrompts prompts = make_likelihood_prompts();
  EXPECT_NE(prompts.persona.find("{persona}"), std::string::npos);
  EXPECT_EQ(prompts.neutral.find("{persona}"), std::string::npos);
  EXPECT_FALSE(prompts.content_free.empty());
}

}  // namespace
}  // namespace personascope::judge
