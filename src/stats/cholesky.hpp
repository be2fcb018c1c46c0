// Small systems of linear equations with a symmetric positive definite matrix, for Newton steps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

// A square matrix, row by row.
struct Matrix {
  explicit Matrix(std::size_t n) : size(n), cells(n * n) {}
  double& operator()(std::size_t row, std::size_t column) { return cells[row * size + column]; }
  double operator()(std::size_t row, std::size_t column) const {
    return cells[row * size + column];
  }

  std::size_t size;
  std::vector<double> cells;
};

class Cholesky {
 public:
  // Fails if the matrix is not positive definite.
  static Result<Cholesky> create(Matrix matrix);

  // x with matrix * x = right.
  std::vector<double> solve(std::span<const double> right) const;
  // The diagonal of the inverse.
  std::vector<double> inverse_diagonal() const;

 private:
  explicit Cholesky(Matrix lower) : lower_(std::move(lower)) {}

  Matrix lower_;
};

}  // namespace personascope::stats
