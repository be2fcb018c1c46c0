#include "stats/pass_at_k.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(PassAtK, AgreesWithScorio) {
  const Json& data = golden()["pass"];
  const std::size_t n = data["n"];
  for (const auto& [k, expected] : data["pass_at_k"].items()) {
    EXPECT_NEAR(*pass_at_k(n, data["c"], std::stoul(k)), expected.get<double>(), kClosedForm) << k;
  }
  for (const auto& [k, expected] : data["pass_hat_k"].items()) {
    EXPECT_NEAR(*pass_hat_k(n, data["c_hat"], std::stoul(k)), expected.get<double>(), kClosedForm);
  }
}

TEST(PassAtK, CountsTheSubsetsOfDrafts) {
  for (std::size_t n = 1; n <= 9; ++n)
    for (std::size_t c = 0; c <= n; ++c)
      for (std::size_t k = 1; k <= n; ++k) {
        // Bits are drafts, of which the first c pass.
        double all = 0;
        double some_pass = 0;
        double all_pass = 0;
        const unsigned passing = (1u << c) - 1;
        for (unsigned subset = 0; subset < (1u << n); ++subset) {
          if (std::popcount(subset) != static_cast<int>(k)) continue;
          ++all;
          some_pass += (subset & passing) != 0 ? 1 : 0;
          all_pass += (subset & ~passing) == 0 ? 1 : 0;
        }
        EXPECT_NEAR(*pass_at_k(n, c, k), some_pass / all, kClosedForm);
        EXPECT_NEAR(*pass_hat_k(n, c, k), all_pass / all, kClosedForm);
      }
}

TEST(PassAtK, TriesToSuccessAreOneWhenAllSucceedAndKWhenNone) {
  EXPECT_EQ(*attempts_to_success(10, 10, 5), 1);
  EXPECT_EQ(*attempts_to_success(10, 0, 5), 5);
  // 1 + P(first fails) = 1 + 1/2.
  EXPECT_NEAR(*attempts_to_success(4, 2, 2), 1.5, kClosedForm);
  // With no end it is (n + 1) / (c + 1).
  EXPECT_NEAR(*attempts_to_success(16, 3, 16), 17.0 / 4, kClosedForm);
}

TEST(PassAtK, UndefinedCasesSaySo) {
  EXPECT_FALSE(pass_at_k(3, 1, 4));
  EXPECT_FALSE(pass_hat_k(3, 1, 4));
  EXPECT_FALSE(attempts_to_success(3, 1, 4));
  EXPECT_FALSE(pass_at_k(3, 4, 1));
  EXPECT_FALSE(pass_at_k(3, 1, 0));
  EXPECT_FALSE(pass_at_k(0, 0, 1));
}

TEST(PassAtK, LargeCountsDoNotOverflow) {
  EXPECT_NEAR(*pass_at_k(1'000'000, 500'000, 1), 0.5, kClosedForm);
  EXPECT_NEAR(*pass_at_k(1'000'000, 10, 500'000), 1 - 1.0 / 1024, 1e-4);
}

}  // namespace
}  // namespace personascope::stats
