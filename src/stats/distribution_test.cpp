#include "stats/distribution.hpp"

#include <gtest/gtest.h>

#include <boost/version.hpp>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

// The expected values were computed with 40 digits.

TEST(Distribution, QuantilesHaveTwelveDigits) {
  EXPECT_NEAR(t_quantile(0.95, 1), 6.3137515146750373979, kClosedForm);
  EXPECT_NEAR(t_quantile(0.975, 4), 2.7764451051977934898, kClosedForm);
  EXPECT_NEAR(t_quantile(0.975, 5), 2.5705818356363147828, kClosedForm);
  EXPECT_NEAR(t_quantile(0.995, 30.5), 2.7469670637047376126, kClosedForm);
  EXPECT_NEAR(t_quantile(0.975, 199), 1.9719565442517534484, kClosedForm);
  EXPECT_NEAR(t_quantile(0.975, 1e6), 1.9599663568141066553, kClosedForm);
  EXPECT_NEAR(normal_quantile(0.975), 1.9599639845400538556, kClosedForm);
  EXPECT_NEAR(normal_quantile(0.001), -3.0902323061678135354, kClosedForm);
  EXPECT_NEAR(beta_quantile(0.025, 3.5, 7.5), 0.092694593938153164175, kClosedForm);
}

TEST(Distribution, TailsKeepTheirRelativePrecision) {
  EXPECT_NEAR(t_two_sided_p(2.5, 7), 0.040992218585752896889, 1e-14);
  EXPECT_NEAR(t_two_sided_p(-12, 9) / 7.6998862229856520332e-7, 1, kClosedForm);
  EXPECT_NEAR(normal_cdf(-8) / 6.2209605742717841235e-16, 1, kClosedForm);
}

TEST(Distribution, GammaFunctionsHaveTwelveDigits) {
  EXPECT_NEAR(digamma(0.3), -3.502524222200132989, kClosedForm);
  EXPECT_NEAR(trigamma(0.3), 12.245364546107730465, kClosedForm);
  EXPECT_NEAR(log_gamma(1234.5) / 7550.5509010778948957, 1, kClosedForm);
}

TEST(Distribution, HasTheSameBitsOnEveryProcessor) {
  // As computed on x86-64 and on ARM64. A fused multiplication and Boost's sums for SSE2 both
  // differ.
  if (BOOST_VERSION != 107400) GTEST_SKIP() << "the bits are known for Boost 1.74";
  EXPECT_EQ(t_quantile(0.95, 6.5), 0x1.eaaf34112b411p+0);
  EXPECT_EQ(t_two_sided_p(2.5, 23.75), 0x1.435c0ce300741p-6);
  EXPECT_EQ(noncentral_t_two_sided(2.5, 17.5, 1.5), 0x1.7f27a80a14965p-3);
  EXPECT_EQ(fair_coin_pmf(21, 61), 0x1.5a12513005566p-8);
  EXPECT_EQ(normal_quantile(0.95), 0x1.a515209676abcp+0);
}

TEST(Distribution, NothingThrowsOutsideTheDomain) {
  EXPECT_NO_THROW(t_quantile(2, -1));
  EXPECT_NO_THROW(beta_quantile(-1, 0, 0));
  EXPECT_NO_THROW(log_gamma(0));
  EXPECT_NO_THROW(noncentral_t_two_sided(2, -3, 1));
}

}  // namespace
}  // namespace personascope::stats
