#include "stats/shrinkage.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

constexpr double kNoDifference = 1e6;

double log_choose(std::size_t n, std::size_t k) {
  return log_gamma(real(n) + 1) - log_gamma(real(k) + 1) - log_gamma(real(n - k) + 1);
}

double log_likelihood(std::span<const RateCell> cells, double alpha, double beta) {
  Sum sum;
  for (const auto& [k, n] : cells) {
    sum.add(log_choose(n, k) + log_gamma(real(k) + alpha) - log_gamma(alpha) +
            log_gamma(real(n - k) + beta) - log_gamma(beta) + log_gamma(alpha + beta) -
            log_gamma(real(n) + alpha + beta));
  }
  return sum.value();
}

// Whether the likelihood falls from the first step away from one common rate (Tarone's score).
bool is_one_rate(std::span<const RateCell> cells, double common) {
  Sum score;
  for (const auto& [k, n] : cells) {
    score.add(real(k) * (real(k) - 1) / common + real(n - k) * (real(n - k) - 1) / (1 - common) -
              real(n) * (real(n) - 1));
  }
  return score.value() <= 0;
}

// First and second derivatives of the log likelihood in log alpha and log beta.
struct Slope {
  double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
};

Slope slope_at(std::span<const RateCell> cells, double alpha, double beta) {
  Sum a, b, aa, bb, ab;
  for (const auto& [k, n] : cells) {
    const double first = digamma(alpha + beta) - digamma(real(n) + alpha + beta);
    const double second = trigamma(alpha + beta) - trigamma(real(n) + alpha + beta);
    a.add(digamma(real(k) + alpha) - digamma(alpha) + first);
    b.add(digamma(real(n - k) + beta) - digamma(beta) + first);
    aa.add(trigamma(real(k) + alpha) - trigamma(alpha) + second);
    bb.add(trigamma(real(n - k) + beta) - trigamma(beta) + second);
    ab.add(second);
  }
  Slope slope;
  slope.a = alpha * a.value();
  slope.b = beta * b.value();
  slope.aa = alpha * alpha * aa.value() + slope.a;
  slope.bb = beta * beta * bb.value() + slope.b;
  slope.ab = alpha * beta * ab.value();
  return slope;
}

struct Step {
  double a = 0;
  double b = 0;
};

// Newton's step where the surface is concave, else uphill; never more than a factor of e^2.
Step uphill(const Slope& slope) {
  const double determinant = slope.aa * slope.bb - slope.ab * slope.ab;
  Step step{slope.a, slope.b};
  if (slope.aa < 0 && determinant > 0) {
    step.a = -(slope.bb * slope.a - slope.ab * slope.b) / determinant;
    step.b = -(slope.aa * slope.b - slope.ab * slope.a) / determinant;
  }
  const double longest = std::max(std::abs(step.a), std::abs(step.b));
  if (longest > 2) {
    step.a *= 2 / longest;
    step.b *= 2 / longest;
  }
  return step;
}

struct Fit {
  double alpha = 0;
  double beta = 0;
};

Fit maximize(std::span<const RateCell> cells, double common) {
  Fit fit{2 * common, 2 * (1 - common)};
  double best = log_likelihood(cells, fit.alpha, fit.beta);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Step step = uphill(slope_at(cells, fit.alpha, fit.beta));
    if (std::abs(step.a) + std::abs(step.b) < 1e-12) break;
    bool improved = false;
    for (double length = 1; length > 1e-8 && !improved; length /= 2) {
      const Fit next{fit.alpha * std::exp(length * step.a), fit.beta * std::exp(length * step.b)};
      if (next.alpha + next.beta > kNoDifference || next.alpha + next.beta < 1 / kNoDifference)
        continue;
      const double value = log_likelihood(cells, next.alpha, next.beta);
      if (value >= best - 1e-13 * std::abs(best)) {
        improved = true;
        best = std::max(best, value);
        fit = next;
      }
    }
    if (!improved) break;
  }
  return fit;
}

Estimate posterior(const RateCell& cell, const Fit& fit, double confidence) {
  const double a = real(cell.successes) + fit.alpha;
  const double b = real(cell.n - cell.successes) + fit.beta;
  const double tail = (1 - confidence) / 2;
  Estimate estimate;
  estimate.value = a / (a + b);
  estimate.standard_error = std::sqrt(a * b / (a + b + 1)) / (a + b);
  estimate.interval = Interval{beta_quantile(tail, a, b), beta_quantile(1 - tail, a, b)};
  estimate.n = cell.n;
  estimate.clusters = cell.n;
  estimate.method = "beta-binomial shrinkage";
  return estimate;
}

}  // namespace

Result<Shrinkage> shrink_rates(std::span<const RateCell> cells, double confidence) {
  RETURN_IF_ERROR(check_confidence(confidence));
  std::size_t successes = 0;
  std::size_t trials = 0;
  for (const RateCell& cell : cells) {
    if (cell.successes > cell.n) {
      return fail(ErrorKind::Invalid, "{} successes in {} trials cannot be", cell.successes,
                  cell.n);
    }
    successes += cell.successes;
    trials += cell.n;
  }
  if (std::ranges::count_if(cells, [](const RateCell& cell) { return cell.n > 0; }) < 2) {
    return fail(ErrorKind::Invalid, "shrinkage needs 2 cells with trials");
  }
  if (successes == 0 || successes == trials) {
    return fail(ErrorKind::Invalid,
                "all trials have the same result: there is nothing to shrink towards");
  }

  const double common = real(successes) / real(trials);
  const bool one_rate = is_one_rate(cells, common);
  const Fit fit = one_rate ? Fit{common * kNoDifference, (1 - common) * kNoDifference}
                           : maximize(cells, common);
  Shrinkage result;
  result.alpha = fit.alpha;
  result.beta = fit.beta;
  result.log_likelihood = log_likelihood(cells, fit.alpha, fit.beta);
  for (const RateCell& cell : cells) {
    Estimate estimate = posterior(cell, fit, confidence);
    if (one_rate) estimate.caveats.push_back(Caveat::NoVariation);
    result.cells.push_back(std::move(estimate));
  }
  return result;
}

}  // namespace personascope::stats
