#include "stats/ordered_logit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "stats/check.hpp"
#include "stats/cholesky.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// The chance of a human score between the cutpoints l and h, seen from the judge's score, is
//   F(h) - F(l) = F(h) F(-l) (1 - e^(l-h))   with F the logistic function.
// So the log likelihood is a sum of one-cutpoint terms and of gap terms, which the judge's score
// does not enter, and all derivatives are short.

double logistic(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

double log_logistic(double x) {
  return x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
}

// Judge scores standardised, human scores as places 0..J-1. Parameters: J-1 cutpoints, then slope.
struct LogitProblem {
  std::vector<double> x;
  std::vector<std::size_t> place;
  std::vector<std::size_t> count;  // of each place

  std::size_t cuts() const { return count.size() - 1; }
  bool has_upper(std::size_t of_place) const { return of_place < cuts(); }
};

double log_likelihood(const LogitProblem& problem, std::span<const double> parameters) {
  const auto cuts = parameters.first(problem.cuts());
  if (std::ranges::adjacent_find(cuts, std::greater_equal<>()) != cuts.end()) {
    return -std::numeric_limits<double>::infinity();
  }
  Sum sum;
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    const double shift = parameters.back() * problem.x[i];
    const std::size_t place = problem.place[i];
    if (problem.has_upper(place)) sum.add(log_logistic(cuts[place] - shift));
    if (place > 0) sum.add(log_logistic(shift - cuts[place - 1]));
  }
  for (std::size_t place = 1; place < problem.cuts(); ++place) {
    sum.add(real(problem.count[place]) * std::log(-std::expm1(cuts[place - 1] - cuts[place])));
  }
  return sum.value();
}

// The gradient of the log likelihood and minus its matrix of second derivatives.
struct LogitDerivatives {
  explicit LogitDerivatives(std::size_t n) : gradient(n), information(n) {}
  std::vector<double> gradient;
  Matrix information;

  void add_cut(std::size_t cut, double x, double first, double density) {
    const std::size_t slope = gradient.size() - 1;
    gradient[cut] += first;
    gradient[slope] -= x * first;
    information(cut, cut) += density;
    information(slope, slope) += x * x * density;
    information(cut, slope) -= x * density;
    information(slope, cut) -= x * density;
  }

  void add_gap(std::size_t lower, double gap, double count) {
    const double first = count / std::expm1(gap);
    const double second = -first / std::expm1(-gap);
    gradient[lower + 1] += first;
    gradient[lower] -= first;
    information(lower, lower) += second;
    information(lower + 1, lower + 1) += second;
    information(lower, lower + 1) -= second;
    information(lower + 1, lower) -= second;
  }
};

LogitDerivatives derive(const LogitProblem& problem, std::span<const double> parameters) {
  LogitDerivatives result(parameters.size());
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    const double x = problem.x[i];
    const std::size_t place = problem.place[i];
    const auto at = [&](std::size_t cut) { return parameters[cut] - parameters.back() * x; };
    if (problem.has_upper(place)) {
      const double missing = logistic(-at(place));
      result.add_cut(place, x, missing, missing * (1 - missing));
    }
    if (place > 0) {
      const double below = logistic(at(place - 1));
      result.add_cut(place - 1, x, -below, below * (1 - below));
    }
  }
  for (std::size_t place = 1; place < problem.cuts(); ++place) {
    result.add_gap(place - 1, parameters[place] - parameters[place - 1],
                   real(problem.count[place]));
  }
  return result;
}

std::vector<double> start_of(const LogitProblem& problem) {
  std::vector<double> parameters;
  std::size_t below = 0;
  for (std::size_t cut = 0; cut < problem.cuts(); ++cut) {
    below += problem.count[cut];
    parameters.push_back(std::log(real(below) / real(problem.x.size() - below)));
  }
  parameters.push_back(0);
  return parameters;
}

// Newton's method with halved steps; the log likelihood is concave, so it cannot go astray.
Result<std::vector<double>> maximize(const LogitProblem& problem) {
  constexpr double kVaguest = 1e6;  // a variance above this: the likelihood rises for ever
  std::vector<double> best = start_of(problem);
  double height = log_likelihood(problem, best);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const LogitDerivatives derivatives = derive(problem, best);
    const auto factor = Cholesky::create(derivatives.information);
    if (!factor || std::ranges::max(factor->inverse_diagonal()) > kVaguest) break;
    const std::vector<double> step = factor->solve(derivatives.gradient);
    double gain = 0;
    for (std::size_t i = 0; i < step.size(); ++i) gain += step[i] * derivatives.gradient[i];
    if (gain < 1e-18 * real(problem.x.size())) return best;
    std::vector<double> next = best;
    double next_height = -std::numeric_limits<double>::infinity();
    for (double length = 1; length > 1e-6; length /= 2) {
      for (std::size_t i = 0; i < step.size(); ++i) next[i] = best[i] + length * step[i];
      next_height = log_likelihood(problem, next);
      if (next_height > height) break;
    }
    // Where rounding hides any gain the top is reached.
    if (!(next_height > height)) return best;
    best = next;
    height = next_height;
  }
  return fail(ErrorKind::Invalid, "the judge separates the human scores: the slope is infinite");
}

std::vector<int> distinct(std::span<const int> human) {
  std::vector<int> labels(human.begin(), human.end());
  std::ranges::sort(labels);
  labels.erase(std::ranges::unique(labels).begin(), labels.end());
  return labels;
}

}  // namespace

Result<OrderedLogit> OrderedLogit::create(std::span<const double> judge,
                                          std::span<const int> human) {
  RETURN_IF_ERROR(check_values(judge, "judge scores"));
  RETURN_IF_ERROR(check_same_size(judge.size(), human.size(), "judge and human scores"));
  OrderedLogit model;
  model.labels_ = distinct(human);
  if (model.labels_.size() < 2) {
    return fail(ErrorKind::Invalid, "the human gave one score throughout: nothing to calibrate");
  }
  const double mean = mean_of(judge);
  const double deviation = std::sqrt(squared_deviations(judge) / real(judge.size()));
  if (!(deviation > 0) || !std::isfinite(deviation)) {
    return fail(ErrorKind::Invalid, "the judge gave one score throughout: nothing to calibrate");
  }

  LogitProblem problem;
  problem.count.resize(model.labels_.size());
  for (std::size_t i = 0; i < judge.size(); ++i) {
    problem.x.push_back((judge[i] - mean) / deviation);
    const auto found = std::ranges::lower_bound(model.labels_, human[i]);
    problem.place.push_back(static_cast<std::size_t>(found - model.labels_.begin()));
    ++problem.count[problem.place.back()];
  }
  ASSIGN_OR_RETURN(const std::vector<double> best, maximize(problem));
  model.log_likelihood_ = stats::log_likelihood(problem, best);
  model.slope_ = best.back() / deviation;
  for (std::size_t cut = 0; cut < problem.cuts(); ++cut) {
    model.cutpoints_.push_back(best[cut] + model.slope_ * mean);
  }
  return model;
}

std::vector<double> OrderedLogit::probabilities(double judge) const {
  std::vector<double> chances;
  double below = 0;
  for (const double cutpoint : cutpoints_) {
    const double up_to = logistic(cutpoint - slope_ * judge);
    chances.push_back(up_to - below);
    below = up_to;
  }
  chances.push_back(1 - below);
  return chances;
}

double OrderedLogit::expected_score(double judge) const {
  const std::vector<double> chances = probabilities(judge);
  Sum sum;
  for (std::size_t i = 0; i < chances.size(); ++i) sum.add(chances[i] * labels_[i]);
  return sum.value();
}

}  // namespace personascope::stats
