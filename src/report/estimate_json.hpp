// Estimates and tests as JSON: every number with n and method, or the reason why it is missing.
#pragma once

#include "base/json.hpp"
#include "base/result.hpp"
#include "stats/estimate.hpp"

namespace personascope::report {

// With "caveats" as sentences and "reasons" as codes with their numbers:
// {"code": "few_clusters", "clusters": 7, "needed": 10}; one of them says why there is no interval.
Json to_json(const stats::Estimate& estimate);
// The estimate, or {"undefined": reason}.
Json to_json(const Result<stats::Estimate>& estimate);
Json to_json(const stats::TestResult& test);
// [low, high], null for an end that is not there.
Json to_json(const stats::Scale& scale);

template <class Value>
Json to_json_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace personascope::report
