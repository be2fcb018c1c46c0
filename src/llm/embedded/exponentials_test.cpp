#include "llm/embedded/exponentials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace personascope::llm::embedded {
namespace {

std::vector<float> make_logits(std::size_t count) {
  Random random(7, "logits");
  std::vector<float> logits;
  for (std::size_t i = 0; i < count; ++i)
    logits.push_back(static_cast<float>(random.unit() * 60 - 30));
  return logits;
}

TEST(Exponentials, TheLargestIsFoundWhereverItIs) {
  for (std::size_t count = 1; count <= 40; ++count)
    for (std::size_t place = 0; place < count; ++place) {
      std::vector<float> logits(count, -3);
      logits[place] = -1;
      ASSERT_EQ(largest_of(logits), -1) << place << " of " << count;
    }
}

TEST(Exponentials, AreThoseOfTheStandardLibrary) {
  const std::vector<float> logits = make_logits(10007);
  for (const double temperature : {0.1, 0.7, 1.0, 2.0}) {
    const Exponentials all = make_exponentials(logits, temperature);
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      const double exact = std::exp(
          (static_cast<double>(logits[i]) - static_cast<double>(all.largest)) / temperature);
      sum += exact;
      if (exact < 1e-30) continue;
      ASSERT_NEAR(all.weights[i] / exact, 1, 3e-5) << logits[i] << " at " << temperature;
    }
    EXPECT_NEAR(all.sum / sum, 1, 1e-6);
  }
}

TEST(Exponentials, TheSumsLogarithmIsExactEnoughForNats) {
  const std::vector<float> logits = make_logits(49152);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - 30);
  EXPECT_NEAR(log_sum_exp(logits), 30 + std::log(sum), 1e-6);
}

TEST(Exponentials, TellsNumbersFromWhatDamagedWeightsGive) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const std::size_t size : {1u, 15u, 16u, 1000u}) {
    const std::vector<float> good(size, -std::numeric_limits<float>::max());
    EXPECT_TRUE(are_finite(good));
    for (const std::size_t place : {std::size_t{0}, size / 2, size - 1})
      for (const float bad : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
        std::vector<float> logits = good;
        logits[place] = bad;
        EXPECT_FALSE(are_finite(logits)) << bad << " at " << place << " of " << size;
      }
  }
}

TEST(Exponentials, WhatIsForbiddenWeighsNothing) {
  const std::vector<float> logits{0, -std::numeric_limits<float>::infinity(), 0};
  EXPECT_LT(make_exponentials(logits).weights[1], 1e-30f);
  EXPECT_NEAR(log_sum_exp(logits), std::log(2), 1e-7);
}

}  // namespace
}  // namespace personascope::llm::embedded
