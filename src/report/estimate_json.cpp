#include "report/estimate_json.hpp"

#include <cmath>

namespace personascope::report {

Json to_json(const stats::Estimate& estimate) {
  Json caveats = Json::array();
  for (const stats::Caveat caveat : estimate.caveats) {
    caveats.push_back(std::string(stats::sentence_of(caveat)));
  }
  Json interval = nullptr;
  if (estimate.interval) interval = {estimate.interval->low, estimate.interval->high};
  return {{"value", estimate.value},   {"standard_error", to_json_or_null(estimate.standard_error)},
          {"interval", interval},      {"df", to_json_or_null(estimate.df)},
          {"n", estimate.n},           {"clusters", estimate.clusters},
          {"method", estimate.method}, {"caveats", caveats}};
}

Json to_json(const Result<stats::Estimate>& estimate) {
  if (!estimate) return {{"undefined", estimate.error().message}};
  return to_json(*estimate);
}

Json to_json(const stats::TestResult& test) {
  return {{"p_value", test.p_value},
          {"statistic", test.statistic},
          {"n", test.n},
          {"clusters", test.clusters},
          {"method", test.method}};
}

Json to_json(const stats::Scale& scale) {
  const auto end = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {end(scale.low), end(scale.high)};
}

}  // namespace personascope::report
