#include "llm/embedded/token_sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "llm/embedded/real_model.hpp"

namespace personascope::llm::embedded {
namespace {

// Logits in which only the given tokens are likely.
std::vector<float> make_logits(const std::map<Token, double>& probabilities,
                               std::size_t size = 64) {
  std::vector<float> logits(size, -60);
  for (const auto& [token, probability] : probabilities)
    logits[static_cast<std::size_t>(token)] = static_cast<float>(std::log(probability));
  return logits;
}

core::Sampling at(double temperature) {
  core::Sampling sampling;
  sampling.temperature = temperature;
  return sampling;
}

TokenSampler make_sampler(const core::Sampling& sampling, std::uint64_t seed = 1,
                          const std::string& grammar = "") {
  return TokenSampler::create(real_vocabulary(), sampling, seed, grammar).value();
}

std::map<Token, int> draw_often(const core::Sampling& sampling,
                                const std::map<Token, double>& probabilities, int draws = 2000) {
  TokenSampler sampler = make_sampler(sampling);
  const std::vector<float> logits = make_logits(probabilities);
  std::map<Token, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[sampler.choose(logits).value()];
  return counts;
}

const std::map<Token, double> kThree{{10, 0.6}, {20, 0.3}, {30, 0.1}};

TEST(TokenSampler, TakesTheLikeliestAtTemperatureZero) {
  const auto counts = draw_often(at(0), kThree, 50);
  EXPECT_EQ(counts, (std::map<Token, int>{{10, 50}}));
}

TEST(TokenSampler, GivesSomeTokenWhereNoLogitIsANumber) {
  const std::vector<float> logits(64, std::nanf(""));
  for (const double temperature : {0.0, 1.0})
    EXPECT_LT(make_sampler(at(temperature)).choose(logits).value(), 64) << temperature;
}

TEST(TokenSampler, DrawsByProbability) {
  const auto counts = draw_often(at(1), kThree);
  EXPECT_NEAR(counts.at(10), 1200, 90);  // four standard errors
  EXPECT_NEAR(counts.at(20), 600, 85);
  EXPECT_NEAR(counts.at(30), 200, 55);
}

TEST(TokenSampler, TemperatureSharpensAndFlattens) {
  EXPECT_GT(draw_often(at(0.3), kThree).at(10), 1700);  // .6^(10/3) : .3^(10/3) = 10:1
  EXPECT_LT(draw_often(at(2), kThree).at(10), 1100);
}

TEST(TokenSampler, TopPTopKAndMinPCutTheTail) {
  core::Sampling top_p = at(1), top_k = at(1), min_p = at(1);
  top_p.top_p = 0.85;
  top_k.top_k = 2;
  min_p.min_p = 0.2;
  for (const core::Sampling& sampling : {top_p, top_k, min_p}) {
    const auto counts = draw_often(sampling, kThree);
    EXPECT_FALSE(counts.contains(30));
    EXPECT_NEAR(counts.at(10), 1333, 85);  // 2 : 1
  }
}

TEST(TokenSampler, TopPKeepsEverythingInAFlatVocabulary) {
  core::Sampling sampling = at(1);
  sampling.top_p = 0.999;
  TokenSampler sampler = make_sampler(sampling);
  const std::vector<float> flat(real_vocabulary().size(), 0);
  std::map<Token, int> counts;
  for (int i = 0; i < 20; ++i) ++counts[sampler.choose(flat).value()];
  EXPECT_GT(counts.size(), 15u);
}

TEST(TokenSampler, TheSeedDecides) {
  const std::vector<float> logits = make_logits(kThree);
  const auto draw = [&](std::uint64_t seed) {
    TokenSampler sampler = make_sampler(at(1), seed);
    std::vector<Token> tokens;
    for (int i = 0; i < 30; ++i) tokens.push_back(sampler.choose(logits).value());
    return tokens;
  };
  EXPECT_EQ(draw(5), draw(5));
  EXPECT_NE(draw(5), draw(6));
}

TEST(TokenSampler, PenaltiesMakeATokenLessLikelyEachTime) {
  core::Sampling sampling = at(0);
  sampling.frequency_penalty = 2;
  TokenSampler sampler = make_sampler(sampling);
  const std::vector<float> logits = make_logits(kThree);
  EXPECT_EQ(sampler.choose(logits), 10);
  EXPECT_EQ(sampler.choose(logits), 20) << "log .6 - 2 is below log .3";
  EXPECT_EQ(sampler.choose(logits), 30);
}

TEST(TokenSampler, AGrammarRulesOutTheLikeliest) {
  const Vocabulary& vocabulary = real_vocabulary();
  const Token wrong = vocabulary.tokenize("no").front();
  const Token right = vocabulary.tokenize("4").front();
  TokenSampler sampler = make_sampler(at(0), 1, R"(root ::= "4")");
  EXPECT_EQ(sampler.choose(make_logits({{wrong, 0.9}, {right, 0.01}}, vocabulary.size())), right);
  const Token end = sampler.choose(make_logits({{wrong, 0.9}}, vocabulary.size())).value();
  EXPECT_TRUE(vocabulary.ends_answer(end)) << "nothing else is allowed any more";
}

TEST(TokenSampler, RefusesAGrammarItCannotRead) {
  const auto sampler = TokenSampler::create(real_vocabulary(), {}, 1, "this is no grammar");
  ASSERT_FALSE(sampler);
  EXPECT_EQ(sampler.error().kind, ErrorKind::Invalid);
}

TEST(TokenSampler, ReadsLogprobsAndTheLikeliest) {
  const auto read = read_logprobs(real_vocabulary(), make_logits(kThree), 20, 2);
  EXPECT_NEAR(read.chosen.logprob, std::log(0.3), 1e-5);
  ASSERT_EQ(read.top.size(), 2u);
  EXPECT_NEAR(read.top[0].logprob, std::log(0.6), 1e-5);
  EXPECT_EQ(read.top[1].token, read.chosen.token);
  EXPECT_TRUE(read_logprobs(real_vocabulary(), make_logits(kThree), 20, 0).top.empty());
}

}  // namespace
}  // namespace personascope::llm::embedded
