#include "report/estimate_json.hpp"

#include <cmath>

#include "stats/reasons.hpp"

namespace personascope::report {

Json to_json(const stats::Estimate& estimate) {
  const Json caveats = stats::sentences_of(estimate, stats::unit_of(estimate));
  Json interval = nullptr;
  if (estimate.interval) interval = {estimate.interval->low, estimate.interval->high};
  const std::string& how = estimate.interval_method;
  return {{"value", estimate.value},
          {"standard_error", to_json_or_null(estimate.standard_error)},
          {"interval", interval},
          {"df", to_json_or_null(estimate.df)},
          {"n", estimate.n},
          {"clusters", estimate.clusters},
          {"method", estimate.method},
          {"interval_method", how.empty() ? Json(nullptr) : Json(how)},
          {"effective_clusters", to_json_or_null(estimate.effective_clusters)},
          {"caveats", caveats},
          {"reasons", stats::reasons_of(estimate)}};
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
