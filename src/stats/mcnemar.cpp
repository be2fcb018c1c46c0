#include "stats/mcnemar.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

double exact_p(std::size_t smaller, std::size_t n) {
  return std::min(1.0, 2 * fair_coin_cdf(smaller, n));
}

double mid_p(std::size_t smaller, std::size_t n) {
  if (2 * smaller == n) return 1;
  return std::min(1.0, 2 * fair_coin_cdf(smaller, n) - fair_coin_pmf(smaller, n));
}

double chi_square_p(std::size_t smaller, std::size_t n) {
  const double difference = std::max(0.0, real(n - 2 * smaller) - 1);
  // A chi-square with one degree of freedom is a squared normal.
  return 2 * normal_cdf(-difference / std::sqrt(real(n)));
}

}  // namespace

TestResult mcnemar(std::size_t only_first, std::size_t only_second, McNemarMethod method) {
  TestResult result;
  const std::size_t smaller = std::min(only_first, only_second);
  result.n = only_first + only_second;
  result.clusters = result.n;
  result.statistic = real(smaller);
  switch (method) {
    case McNemarMethod::Exact:
      result.method = "McNemar, exact";
      break;
    case McNemarMethod::MidP:
      result.method = "McNemar, mid-p";
      break;
    case McNemarMethod::ChiSquare:
      result.method = "McNemar, chi-square";
      break;
  }
  if (result.n == 0) return result;
  switch (method) {
    case McNemarMethod::Exact:
      result.p_value = exact_p(smaller, result.n);
      break;
    case McNemarMethod::MidP:
      result.p_value = mid_p(smaller, result.n);
      break;
    case McNemarMethod::ChiSquare:
      result.p_value = chi_square_p(smaller, result.n);
      break;
  }
  return result;
}

}  // namespace personascope::stats
