// Compensated sums: the error does not grow with the number of terms (Neumaier 1974).
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace personascope::stats {

class Sum {
 public:
  void add(double term) {
    const double total = total_ + term;
    // The larger of the two loses no digits; what the smaller lost is kept apart.
    lost_ += std::abs(total_) >= std::abs(term) ? (total_ - total) + term : (term - total) + total_;
    total_ = total;
  }
  double value() const { return total_ + lost_; }

 private:
  double total_ = 0;
  double lost_ = 0;
};

// A count as a number to calculate with.
inline double real(std::size_t count) {
  return static_cast<double>(count);
}

inline double sum_of(std::span<const double> values) {
  Sum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

// The mean; `values` is not empty.
inline double mean_of(std::span<const double> values) {
  return sum_of(values) / real(values.size());
}

// The sum of (x - mean of x)(y - mean of y); both have the same size and are not empty.
inline double cross_deviations(std::span<const double> x, std::span<const double> y) {
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  Sum sum;
  for (std::size_t i = 0; i < x.size(); ++i) sum.add((x[i] - mean_x) * (y[i] - mean_y));
  return sum.value();
}

// The sum of (x - mean of x)^2; `values` is not empty.
inline double squared_deviations(std::span<const double> values) {
  return cross_deviations(values, values);
}

}  // namespace personascope::stats
