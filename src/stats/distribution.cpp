#include "stats/distribution.hpp"

// The guard of a header in which Boost adds in another order where there is SSE2: without it the
// last digits are the same on every processor.
#define BOOST_MATH_SPECIAL_FUNCTIONS_LANCZOS_SSE2
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

namespace personascope::stats {
namespace {

namespace policies = boost::math::policies;

// No exceptions, and no detour over `long double`, whose width differs between platforms.
using Policy = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>,
    policies::underflow_error<policies::ignore_error>,
    policies::evaluation_error<policies::ignore_error>, policies::promote_double<false>>;

using Normal = boost::math::normal_distribution<double, Policy>;
using StudentsT = boost::math::students_t_distribution<double, Policy>;
using NonCentralT = boost::math::non_central_t_distribution<double, Policy>;
using Beta = boost::math::beta_distribution<double, Policy>;
using ChiSquared = boost::math::chi_squared_distribution<double, Policy>;
using Binomial = boost::math::binomial_distribution<double, Policy>;

}  // namespace

double normal_cdf(double z) {
  return boost::math::cdf(Normal(), z);
}

double normal_quantile(double probability) {
  return boost::math::quantile(Normal(), probability);
}

double t_quantile(double probability, double df) {
  return boost::math::quantile(StudentsT(df), probability);
}

double t_two_sided_p(double t, double df) {
  return 2 * boost::math::cdf(StudentsT(df), -std::abs(t));
}

double noncentral_t_two_sided(double t, double df, double noncentrality) {
  const NonCentralT distribution(df, noncentrality);
  return boost::math::cdf(boost::math::complement(distribution, t)) +
         boost::math::cdf(distribution, -t);
}

double beta_quantile(double probability, double a, double b) {
  return boost::math::quantile(Beta(a, b), probability);
}

double chi_squared_quantile(double probability, double df) {
  return boost::math::quantile(ChiSquared(df), probability);
}

double fair_coin_cdf(std::uint64_t successes, std::uint64_t n) {
  return boost::math::cdf(Binomial(static_cast<double>(n), 0.5), static_cast<double>(successes));
}

double fair_coin_pmf(std::uint64_t successes, std::uint64_t n) {
  return boost::math::pdf(Binomial(static_cast<double>(n), 0.5), static_cast<double>(successes));
}

double log_gamma(double x) {
  return boost::math::lgamma(x, Policy());
}

double digamma(double x) {
  return boost::math::digamma(x, Policy());
}

double trigamma(double x) {
  return boost::math::trigamma(x, Policy());
}

}  // namespace personascope::stats
