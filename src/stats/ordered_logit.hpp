// Ordered-logit calibration: from a judge's score to the chances of each human score.
#pragma once

#include <span>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

// P(human <= labels[j] | judge) = logistic(cutpoints[j] - slope * judge).
class OrderedLogit {
 public:
  // Fits by maximum likelihood. Human scores that never occur get no chance. Fails on empty input,
  // different sizes, where judge or human gave one score throughout, and where the judge separates
  // the human scores perfectly (the slope would be infinite).
  static Result<OrderedLogit> create(std::span<const double> judge, std::span<const int> human);

  double slope() const { return slope_; }
  const std::vector<double>& cutpoints() const { return cutpoints_; }
  double log_likelihood() const { return log_likelihood_; }

  // The human scores that occurred, ascending; their chances; and the score expected of them.
  const std::vector<int>& labels() const { return labels_; }
  std::vector<double> probabilities(double judge) const;
  double expected_score(double judge) const;

 private:
  double slope_ = 0;
  std::vector<double> cutpoints_;
  std::vector<int> labels_;
  double log_likelihood_ = 0;
};

}  // namespace personascope::stats
