#include "stats/generalizability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "stats/distribution.hpp"

namespace personascope::stats {
namespace {

double draw_normal(Random& random, double deviation) {
  return deviation * normal_quantile(std::min(std::max(random.unit(), 1e-12), 1 - 1e-12));
}

struct RankedSample {
  std::vector<std::vector<double>> scores;
  std::vector<std::size_t> personas, questions;
};

// Deviations: of models 0.5, of model and persona 0.3, of model and question 0.6, of draws 0.4;
// what all models share is far larger.
RankedSample make_ranked_sample(std::size_t models, std::size_t personas, std::size_t questions,
                                std::size_t draws, std::uint64_t seed) {
  Random random(seed, "generalizability", {}, 0);
  RankedSample sample;
  sample.scores.resize(models);
  std::vector<double> of_model(models);
  for (double& level : of_model) level = draw_normal(random, 0.5);
  for (std::size_t p = 0; p < personas; ++p) {
    const double of_persona = draw_normal(random, 2);
    std::vector<double> suited(models);
    for (double& value : suited) value = draw_normal(random, 0.3);
    for (std::size_t q = 0; q < questions; ++q) {
      const double of_question = draw_normal(random, 1);
      std::vector<double> fits(models);
      for (double& value : fits) value = draw_normal(random, 0.6);
      for (std::size_t d = 0; d < draws; ++d) {
        sample.personas.push_back(p);
        sample.questions.push_back(q);
        for (std::size_t m = 0; m < models; ++m)
          sample.scores[m].push_back(of_model[m] + of_persona + suited[m] + of_question + fits[m] +
                                     (draws > 1 ? draw_normal(random, 0.4) : 0));
      }
    }
  }
  return sample;
}

RankingComponents measure(const RankedSample& sample) {
  return ranking_components(sample.scores, sample.personas, sample.questions).value();
}

TEST(Generalizability, ComponentsAreFoundAgain) {
  RankingComponents mean;
  double draw = 0;
  constexpr int kDraws = 60;
  for (int i = 0; i < kDraws; ++i) {
    const auto found = measure(make_ranked_sample(10, 20, 5, 3, static_cast<std::uint64_t>(i)));
    mean.model += found.model / kDraws;
    mean.model_by_persona += found.model_by_persona / kDraws;
    mean.model_by_question += found.model_by_question / kDraws;
    draw += found.draw.value() / kDraws;
  }
  EXPECT_NEAR(mean.model, 0.25, 0.05);
  EXPECT_NEAR(mean.model_by_persona, 0.09, 0.01);
  EXPECT_NEAR(mean.model_by_question, 0.36, 0.01);
  EXPECT_NEAR(draw, 0.16, 0.005);
}

TEST(Generalizability, ByHand) {
  // Two models, two personas with one question each: means 2 and 1, interaction +-0.5.
  const auto found = ranking_components({{1, 3}, {1, 1}}, std::vector<std::size_t>{0, 1},
                                        std::vector<std::size_t>{0, 0});
  ASSERT_TRUE(found);
  // Left over: -.5, .5 and .5, -.5: squares 1, over (2 - 1)(2 - 1).
  EXPECT_DOUBLE_EQ(found->model_by_persona, 1);
  EXPECT_DOUBLE_EQ(found->model, 0) << "variance of means .5 less 1 / 2";
  EXPECT_DOUBLE_EQ(generalize(*found, size_of(*found)).coefficient, 0);
  EXPECT_FALSE(found->draw);
}

TEST(Generalizability, MoreOfAnythingHelps) {
  auto found = measure(make_ranked_sample(8, 10, 4, 2, 3));
  found.model_by_judge = 0.02;
  found.judges = 2;
  const TestSize now = size_of(found);
  EXPECT_EQ(now.personas, 10);
  EXPECT_EQ(now.questions_per_persona, 4);
  EXPECT_EQ(now.draws_per_question, 2);
  const double before = generalize(found, now).coefficient;
  for (double TestSize::* member : {&TestSize::personas, &TestSize::questions_per_persona,
                                    &TestSize::draws_per_question, &TestSize::judges}) {
    TestSize more = now;
    more.*member *= 2;
    EXPECT_GT(generalize(found, more).coefficient, before);
    EXPECT_LT(generalize(found, more).standard_error, generalize(found, now).standard_error);
  }
}

TEST(Generalizability, AJudgeThatFavoursAModelIsFound) {
  std::vector<std::vector<std::vector<double>>> scores(
      3, std::vector<std::vector<double>>(4, std::vector<double>(200)));
  const auto fill = [&](double favour) {
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t m = 0; m < 4; ++m)
        for (std::size_t row = 0; row < 200; ++row) {
          Random random(5, "judge", std::to_string(j * 4 + m), row);
          scores[j][m][row] =
              3 + static_cast<double>(j) + (j == m ? favour : 0) + draw_normal(random, 0.5);
        }
  };
  fill(0);
  EXPECT_LT(model_by_judge_variance(scores).value(), 0.003) << "strict judges move no model";
  fill(1);
  EXPECT_GT(model_by_judge_variance(scores).value(), 0.1);
}

TEST(Generalizability, BadInputIsRefused) {
  const std::vector<std::size_t> keys{0, 1};
  EXPECT_FALSE(ranking_components({{1, 2}}, keys, keys));
  EXPECT_FALSE(ranking_components({{1, 2}, {1}}, keys, keys));
  EXPECT_FALSE(ranking_components({{1, NAN}, {1, 2}}, keys, keys));
  EXPECT_FALSE(ranking_components({{1, 2}, {1, 2}}, std::vector<std::size_t>{0, 0}, keys));
  EXPECT_FALSE(model_by_judge_variance({{{1, 2}, {1, 2}}}));
  EXPECT_FALSE(model_by_judge_variance({{{1}, {1}}, {{1}, {1}}}));
}

}  // namespace
}  // namespace personascope::stats
