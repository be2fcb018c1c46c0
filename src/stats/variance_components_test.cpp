#include "stats/variance_components.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

struct Scores {
  std::vector<double> values;
  std::vector<std::size_t> personas, questions;
};

Scores simulate(std::size_t personas, std::size_t questions, std::size_t repeats) {
  Random random(11, "variance components");
  // A uniform number of variance 1 around 0.
  const auto noise = [&] { return (random.unit() - 0.5) * std::sqrt(12.0); };
  Scores scores;
  for (std::size_t p = 0; p < personas; ++p) {
    const double persona = noise();
    for (std::size_t q = 0; q < questions; ++q) {
      const double question = 2 * noise();
      // Unequal numbers: odd questions get one repeat less.
      for (std::size_t r = 0; r < repeats - (repeats > 1 ? q % 2 : 0); ++r) {
        scores.values.push_back(3 + persona + question + 0.5 * noise());
        scores.personas.push_back(p);
        scores.questions.push_back(q);
      }
    }
  }
  return scores;
}

TEST(VarianceComponents, FollowTheBalancedFormulasExactly) {
  // 2 personas x 2 questions x 2 repeats: mean squares 50 (1 df), 9 (2 df) and 2 (4 df).
  const std::vector<double> scores{1, 3, 4, 6, 6, 8, 9, 11};
  const std::vector<std::size_t> personas{0, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<std::size_t> questions{0, 0, 1, 1, 0, 0, 1, 1};
  const auto components = variance_components(scores, personas, questions).value();
  EXPECT_NEAR(*components.repeat, 2, kClosedForm);
  EXPECT_NEAR(components.question, (9.0 - 2) / 2, kClosedForm);
  EXPECT_NEAR(components.persona, (50.0 - 9) / 4, kClosedForm);
}

TEST(VarianceComponents, AreRecoveredFromUnbalancedData) {
  const Scores scores = simulate(2000, 8, 3);
  const auto components =
      variance_components(scores.values, scores.personas, scores.questions).value();
  EXPECT_NEAR(components.persona, 1, 0.15);
  EXPECT_NEAR(components.question, 4, 0.2);
  EXPECT_NEAR(*components.repeat, 0.25, 0.02);
  EXPECT_NEAR(components.repeats_per_question, 2.5, kClosedForm);
}

TEST(VarianceComponents, WithoutRepeatsTheirNoiseIsTheQuestions) {
  const Scores scores = simulate(2000, 8, 1);
  const auto components =
      variance_components(scores.values, scores.personas, scores.questions).value();
  EXPECT_FALSE(components.repeat);
  EXPECT_NEAR(components.question, 4.25, 0.2);
}

TEST(VarianceComponents, UndefinedCasesSaySo) {
  const std::vector<double> scores{1, 2};
  const std::vector<std::size_t> same{0, 0};
  const std::vector<std::size_t> different{0, 1};
  EXPECT_FALSE(variance_components({}, {}, {}));
  EXPECT_FALSE(variance_components(scores, same, different));
  EXPECT_FALSE(variance_components(scores, different, same));
  EXPECT_FALSE(variance_components(scores, different, {}));
}

TEST(BudgetAdvice, PersonasHelpMostUnlessTheyAreDear) {
  const VarianceComponents components{.persona = 0.26,
                                      .question = 0.6,
                                      .repeat = 0.14,
                                      .personas = 20,
                                      .questions_per_persona = 10,
                                      .repeats_per_question = 1};
  const auto cheap = advise_budget(components, {.repeat = 1}, 200).value();
  EXPECT_EQ(cheap.cost_now, 200);
  EXPECT_EQ(cheap.options.front().spending, Spending::MorePersonas);
  EXPECT_NEAR(cheap.options.front().standard_error, cheap.standard_error_now / std::sqrt(2.0),
              kClosedForm);
  EXPECT_EQ(cheap.options.back().spending, Spending::MoreRepeats);
  const auto dear = advise_budget(components, {.persona = 1000, .repeat = 1}, 200).value();
  EXPECT_EQ(dear.options.front().spending, Spending::MoreQuestions);
}

TEST(BudgetAdvice, RefusesImpossibleCosts) {
  const VarianceComponents components{
      .personas = 5, .questions_per_persona = 2, .repeats_per_question = 1};
  EXPECT_TRUE(advise_budget(components, {}, 10));
  EXPECT_FALSE(advise_budget({}, {}, 10));
  EXPECT_FALSE(advise_budget(components, {.repeat = 0}, 10));
  EXPECT_FALSE(advise_budget(components, {}, -1));
}

}  // namespace
}  // namespace personascope::stats
