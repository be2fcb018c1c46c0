#include "report/margin.hpp"

#include <cmath>

#include "report/estimate_json.hpp"
#include "stats/distribution.hpp"
#include "stats/paired.hpp"

namespace personascope::report {
namespace {

std::optional<stats::Interval> find_interval(const stats::Estimate& difference,
                                             const Comparison& all, std::string& why) {
  const double alpha = all.options.alpha;
  const bool varies = difference.standard_error && *difference.standard_error > 0;
  if (varies && difference.clusters >= 5) {
    const double df = difference.df.value_or(static_cast<double>(difference.clusters) - 1);
    const double half = stats::t_quantile(1 - alpha, df) * *difference.standard_error;
    return stats::Interval{difference.value - half, difference.value + half};
  }
  if (varies || difference.n < 5) {
    why = "there is no interval below 5 clusters";
    return std::nullopt;
  }
  if (!all.scale || !std::isfinite(all.scale->high - all.scale->low)) {
    why = "no item differs in another way, so the spread is unknown; name the scale";
    return std::nullopt;
  }
  const double half =
      stats::half_width_of_equal(difference.n, all.scale->high - all.scale->low, alpha);
  return stats::Interval{difference.value - half, difference.value + half};
}

// Normal quantiles: the number is large where it matters.
std::optional<std::size_t> find_needed(const stats::Estimate& difference, double margin,
                                       const CompareOptions& options) {
  if (!difference.standard_error || *difference.standard_error <= 0 || margin <= 0)
    return std::nullopt;
  const double reach =
      stats::normal_quantile(1 - options.alpha) + stats::normal_quantile(options.power);
  const double ratio = reach * *difference.standard_error / margin;
  const double needed = std::ceil(static_cast<double>(difference.clusters) * ratio * ratio);
  if (!(needed < 1e9)) return std::nullopt;
  return static_cast<std::size_t>(needed);
}

}  // namespace

std::string_view name_of(MarginVerdict verdict) {
  switch (verdict) {
    case MarginVerdict::Equivalent:
      return "equivalent";
    case MarginVerdict::Better:
      return "better";
    case MarginVerdict::Worse:
      return "worse";
    case MarginVerdict::Undecided:
      return "undecided";
  }
  return "";
}

MarginTest test_margin(const RunDifference& difference, double margin, const Comparison& all) {
  MarginTest test;
  test.run = difference.run;
  test.margin = margin;
  test.confidence = 1 - 2 * all.options.alpha;
  if (!difference.comparison) {
    test.why = difference.why;
    return test;
  }
  const stats::Estimate& estimate = difference.comparison->difference;
  test.interval = find_interval(estimate, all, test.why);
  if (test.interval) {
    const bool higher = all.options.better == Better::Higher;
    const double worse_end = higher ? test.interval->low : -test.interval->high;
    const double better_end = higher ? test.interval->high : -test.interval->low;
    test.is_not_worse = worse_end > -margin;
    if (test.is_not_worse && better_end < margin) test.verdict = MarginVerdict::Equivalent;
  }
  if (!test.is_not_worse) test.clusters_needed = find_needed(estimate, margin, all.options);
  if (test.verdict == MarginVerdict::Equivalent) return test;
  if (difference.verdict == Verdict::Better) test.verdict = MarginVerdict::Better;
  if (difference.verdict == Verdict::Worse) test.verdict = MarginVerdict::Worse;
  return test;
}

Json to_json(const MarginTest& test) {
  Json interval = nullptr;
  if (test.interval) interval = {test.interval->low, test.interval->high};
  return {{"run", test.run},
          {"margin", test.margin},
          {"verdict", name_of(test.verdict)},
          {"not_worse", test.is_not_worse},
          {"interval", interval},
          {"confidence", test.confidence},
          {"clusters_needed", to_json_or_null(test.clusters_needed)},
          {"why", test.why.empty() ? Json(nullptr) : Json(test.why)}};
}

}  // namespace personascope::report
