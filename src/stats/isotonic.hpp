// Isotonic calibration: the best non-decreasing map from judge scores to human scores.
#pragma once

#include <span>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

class IsotonicCalibration {
 public:
  // The least-squares fit that never falls. Fails on empty input, different sizes, and numbers that
  // are not finite.
  static Result<IsotonicCalibration> create(std::span<const double> judge,
                                            std::span<const double> human);

  // The calibrated score: linear between judge scores seen, constant beyond them.
  double at(double judge) const;

 private:
  std::vector<double> judge_;  // distinct, ascending
  std::vector<double> human_;
};

}  // namespace personascope::stats
