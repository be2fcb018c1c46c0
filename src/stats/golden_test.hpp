// The golden values of testdata/statistics.json, for tests.
#pragma once

#include <cstddef>
#include <vector>

#include "base/json.hpp"

namespace personascope::stats {

// Tolerances: closed forms, quantiles and p-values, maximum likelihood.
inline constexpr double kClosedForm = 1e-12;
inline constexpr double kQuantile = 1e-10;
inline constexpr double kLikelihood = 1e-6;

// The inputs and results that other libraries computed, by statistic.
const Json& golden();

std::vector<double> numbers(const Json& list);
std::vector<std::size_t> keys(const Json& list);
std::vector<int> integers(const Json& list);

}  // namespace personascope::stats
