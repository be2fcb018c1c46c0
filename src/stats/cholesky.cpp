#include "stats/cholesky.hpp"

#include <cmath>

namespace personascope::stats {

Result<Cholesky> Cholesky::create(Matrix matrix) {
  const std::size_t n = matrix.size;
  for (std::size_t column = 0; column < n; ++column) {
    const double before = matrix(column, column);
    double pivot = before;
    for (std::size_t k = 0; k < column; ++k) pivot -= matrix(column, k) * matrix(column, k);
    // What is left by rounding alone counts as nothing.
    if (!(pivot > 1e-13 * before) || !std::isfinite(pivot)) {
      return fail(ErrorKind::Invalid, "the equations have no unique solution");
    }
    const double root = std::sqrt(pivot);
    matrix(column, column) = root;
    for (std::size_t row = column + 1; row < n; ++row) {
      double cell = matrix(row, column);
      for (std::size_t k = 0; k < column; ++k) cell -= matrix(row, k) * matrix(column, k);
      matrix(row, column) = cell / root;
    }
  }
  return Cholesky(std::move(matrix));
}

std::vector<double> Cholesky::solve(std::span<const double> right) const {
  const std::size_t n = lower_.size;
  std::vector<double> x(right.begin(), right.end());
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < row; ++k) x[row] -= lower_(row, k) * x[k];
    x[row] /= lower_(row, row);
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) x[row] -= lower_(k, row) * x[k];
    x[row] /= lower_(row, row);
  }
  return x;
}

std::vector<double> Cholesky::inverse_diagonal() const {
  std::vector<double> diagonal(lower_.size);
  for (std::size_t i = 0; i < lower_.size; ++i) {
    std::vector<double> unit(lower_.size);
    unit[i] = 1;
    diagonal[i] = solve(unit)[i];
  }
  return diagonal;
}

}  // namespace personascope::stats
