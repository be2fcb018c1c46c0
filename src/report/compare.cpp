#include "report/compare.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/estimate_json.hpp"
#include "report/scale.hpp"
#include "stats/flip_claims.hpp"
#include "stats/flip_power.hpp"
#include "stats/grouping.hpp"
#include "stats/mcnemar.hpp"
#include "stats/multiplicity.hpp"
#include "stats/score_mean.hpp"
#include "stats/sign_flip.hpp"

namespace personascope::report {
namespace {

// Above so many clusters sums are normal, and flipping them takes long.
constexpr std::size_t kMostForFlips = 20'000;

bool is_outcome(double score) {
  return score == 0 || score == 1;
}

bool has_only_outcomes(const ScoreTable& table) {
  return std::ranges::all_of(table.columns, [](const ScoreColumn& column) {
    return std::ranges::all_of(
        column.cells, [](const std::optional<double>& cell) { return !cell || is_outcome(*cell); });
  });
}

// A pair of columns with all that is computed from it.
struct Pairs {
  CompleteRows rows;
  std::vector<double> differences;  // of the rows
  stats::FlipInput flips;
};

Pairs make_pairs(const ScoreTable& table, std::size_t column, const stats::Scale& scale,
                 stats::Weight weight) {
  const std::size_t both[] = {0, column};
  Pairs pairs{.rows = complete_rows(table, both), .differences = {}, .flips = {}};
  for (std::size_t i = 0; i < pairs.rows.rows.size(); ++i) {
    pairs.differences.push_back(pairs.rows.values[1][i] - pairs.rows.values[0][i]);
  }
  if (!pairs.differences.empty())
    pairs.flips = stats::make_flip_input(pairs.rows.values[0], pairs.rows.values[1],
                                         pairs.rows.clusters, scale, weight);
  return pairs;
}

std::optional<stats::TestResult> find_mcnemar(const Pairs& pairs) {
  const CompleteRows& rows = pairs.rows;
  const bool one_each = stats::make_grouping(rows.clusters).count == rows.clusters.size();
  if (!one_each || !std::ranges::all_of(rows.values[0], is_outcome) ||
      !std::ranges::all_of(rows.values[1], is_outcome) || rows.clusters.empty()) {
    return std::nullopt;
  }
  const auto only_first = std::ranges::count(pairs.differences, -1.0);
  const auto only_second = std::ranges::count(pairs.differences, 1.0);
  stats::TestResult test =
      stats::mcnemar(static_cast<std::size_t>(only_first), static_cast<std::size_t>(only_second));
  test.n = test.clusters = rows.clusters.size();
  return test;
}

RunMean mean_of_run(const ScoreTable& table, std::size_t column,
                    const stats::IntervalOptions& bounds) {
  const std::size_t alone[] = {column};
  const CompleteRows rows = complete_rows(table, alone);
  return {.run = table.columns[column].name,
          .mean = stats::score_mean(rows.values[0], rows.clusters, bounds),
          .missing = rows.missing};
}

RunDifference difference_of(const ScoreTable& table, std::size_t column, const Pairs& pairs,
                            const stats::IntervalOptions& bounds, const CompareOptions& options) {
  return {.run = table.columns[column].name,
          .baseline = table.columns.front().name,
          .missing = pairs.rows.missing,
          .comparison =
              stats::compare_paired(pairs.rows.values[0], pairs.rows.values[1], pairs.rows.clusters,
                                    bounds, {.alpha = options.alpha, .power = options.power}),
          .sign_flip = {},
          .mcnemar = find_mcnemar(pairs),
          .claim_p_value = {},
          .claim_method = {},
          .verdict = Verdict::Undecidable,
          .why = {},
          .why_code = {}};
}

// An interval of the difference covers too little where one of the runs is near an end of the
// scale.
void add_end_caveat(RunDifference& difference, const RunMean& baseline, const RunMean& run,
                    const stats::IntervalOptions& bounds) {
  const auto is_near = [&](const RunMean& mean) {
    const double width = bounds.scale.high - bounds.scale.low;
    return mean.mean && std::min(mean.mean->value - bounds.scale.low,
                                 bounds.scale.high - mean.mean->value) < 0.1 * width;
  };
  if (!difference.comparison || !difference.comparison->difference.interval) return;
  if (!std::isfinite(bounds.scale.high - bounds.scale.low)) return;
  if (is_near(baseline) != is_near(run)) {
    difference.comparison->difference.caveats.push_back(stats::Caveat::NearScaleEnd);
  }
}

double width_of(const CompareOptions& options) {
  const stats::Scale scale = options.scale.value_or(stats::Scale{});
  return scale.high - scale.low;
}

// Detectable differences for the test that decides, and of several runs simultaneous intervals.
Result<void> add_levels(std::vector<RunDifference>& differences,
                        const std::vector<std::size_t>& tested,
                        const std::vector<const stats::FlipInput*>& inputs,
                        const CompareOptions& options, const stats::SignFlipOptions& flips) {
  const bool several = tested.size() > 1;
  stats::SharedLevel of_tests, of_intervals;
  if (several) {
    ASSIGN_OR_RETURN(of_tests, stats::shared_flip_level(inputs, options.alpha, flips));
    ASSIGN_OR_RETURN(of_intervals, stats::shared_flip_level(inputs, 1 - options.confidence, flips));
  }
  for (std::size_t k = 0; k < tested.size(); ++k) {
    auto& comparison = differences[tested[k]].comparison;
    if (!comparison || !comparison->minimum_detectable) continue;
    stats::Estimate& mean = comparison->difference;
    const stats::FlipDesign design{inputs[k]->sizes, *mean.standard_error, *mean.df,
                                   inputs[k]->unseen};
    const auto detectable = several
                                ? stats::detectable_among_several(design, of_tests, options.power)
                                : stats::detectable_by_sign_flip(
                                      design, {.alpha = options.alpha, .power = options.power});
    comparison->minimum_detectable =
        detectable ? std::optional(*detectable) : std::optional<double>();
    if (several)
      stats::make_simultaneous(mean, of_intervals.level, tested.size(), width_of(options));
  }
  return {};
}

Result<void> add_sign_flips(std::vector<RunDifference>& differences,
                            std::span<const Pairs> all_pairs, const CompareOptions& options) {
  std::vector<const stats::FlipInput*> inputs;
  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i < all_pairs.size(); ++i) {
    if (all_pairs[i].differences.empty()) continue;
    inputs.push_back(&all_pairs[i].flips);
    tested.push_back(i);
  }
  if (inputs.empty()) return {};
  const stats::SignFlipOptions flips{.seed = options.seed, .threads = options.threads};
  ASSIGN_OR_RETURN(const auto results, stats::test_flips(inputs, flips));
  for (std::size_t k = 0; k < tested.size(); ++k) {
    RunDifference& difference = differences[tested[k]];
    const std::vector<std::size_t>& clusters = all_pairs[tested[k]].rows.clusters;
    const bool several = tested.size() > 1;
    const std::size_t count = stats::make_grouping(clusters).count;
    difference.sign_flip = stats::TestResult{
        .p_value = results[k].p_value,
        .statistic = results[k].statistic,
        .n = clusters.size(),
        .clusters = count,
        .method = count < clusters.size() ? "sign flip of clusters" : "sign flip of items"};
    difference.claim_p_value = several ? results[k].step_down_p_value : results[k].p_value;
    difference.claim_method = several ? "sign flip, max-T step down" : "sign flip";
    if (inputs[k]->unseen) difference.claim_method += ", with an unseen cluster";
  }
  return add_levels(differences, tested, inputs, options, flips);
}

// The p-value of a difference that is the same in every cluster: all signs are, or there are none.
std::optional<double> find_p_of_constant(const RunDifference& difference, double alpha) {
  if (!difference.comparison) return std::nullopt;
  const stats::Estimate& constant = difference.comparison->difference;
  if (!constant.has(stats::Caveat::NoVariation)) return std::nullopt;
  if (constant.clusters < stats::fewest_for_sign_flip(alpha)) return std::nullopt;
  return constant.value == 0 ? 1 : std::ldexp(2.0, -static_cast<int>(constant.clusters));
}

// Where no flips are made: t's p-values, adjusted by Holm.
Result<void> add_t_claims(std::vector<RunDifference>& differences, const CompareOptions& options) {
  std::vector<double> p_values;
  for (RunDifference& difference : differences) {
    const auto& comparison = difference.comparison;
    const bool has_t = comparison && comparison->p_value;
    difference.claim_p_value =
        has_t ? comparison->p_value : find_p_of_constant(difference, options.alpha);
    difference.claim_method = has_t ? "paired t" : difference.claim_p_value ? "signs" : "";
    if (has_t && differences.size() > 1) {
      // As if it were the first that Holm looks at.
      const double several = static_cast<double>(differences.size());
      stats::Estimate& mean = difference.comparison->difference;
      ASSIGN_OR_RETURN(difference.comparison->minimum_detectable,
                       stats::minimum_detectable_difference(
                           *mean.standard_error, *mean.df,
                           {.alpha = options.alpha / several, .power = options.power}));
      stats::make_simultaneous(mean, (1 - options.confidence) / several, differences.size(),
                               width_of(options));
    }
    p_values.push_back(difference.claim_p_value.value_or(1));
  }
  if (differences.size() < 2) return {};
  ASSIGN_OR_RETURN(const auto adjusted, stats::holm(p_values));
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (!differences[i].claim_p_value) continue;
    differences[i].claim_p_value = adjusted[i];
    differences[i].claim_method += ", Holm";
  }
  return {};
}

bool has_too_few_flips(const RunDifference& difference, const CompareOptions& options) {
  return difference.sign_flip &&
         difference.sign_flip->clusters < stats::fewest_for_sign_flip(options.alpha);
}

Verdict decide(const RunDifference& difference, const CompareOptions& options) {
  if (!difference.comparison || !difference.claim_p_value) return Verdict::Undecidable;
  if (has_too_few_flips(difference, options)) return Verdict::Undecidable;
  if (*difference.claim_p_value > options.alpha) return Verdict::NoDifferenceSeen;
  const double change = difference.comparison->difference.value;
  const bool is_better = options.better == Better::Higher ? change > 0 : change < 0;
  return is_better ? Verdict::Better : Verdict::Worse;
}

void explain(RunDifference& difference, const Comparison& all) {
  const CompareOptions& options = all.options;
  const auto because = [&](std::string_view code, std::string sentence) {
    difference.why_code = code;
    difference.why = std::move(sentence);
  };
  if (difference.missing == all.items)
    because("no_pairs", "no item has a score in both");
  else if (!difference.comparison)
    because("undefined", difference.comparison.error().message);
  else if (has_too_few_flips(difference, options))
    because("too_few_clusters",
            fmt::format("a test at the level {1} needs at least {0} clusters, and there {2} {3}",
                        stats::fewest_for_sign_flip(options.alpha), options.alpha,
                        difference.sign_flip->clusters == 1 ? "is" : "are",
                        difference.sign_flip->clusters));
  else if (!difference.claim_p_value)
    because("no_test", "too few clusters have a pair of scores for a test");
  else if (difference.verdict == Verdict::NoDifferenceSeen &&
           !difference.comparison->minimum_detectable)
    because("not_detectable",
            difference.comparison->p_value
                ? "so few clusters cannot find a difference between so many runs, however large"
                : "the differences do not vary between clusters, so the smallest detectable "
                  "difference is unknown");
}

std::vector<std::string> list_warnings(const Comparison& comparison) {
  std::vector<std::string> warnings;
  if (!comparison.cluster_column)
    warnings.push_back(
        "rows are treated as independent; if several belong to one persona, name its column with "
        "`cluster`");
  if (!comparison.scale)
    warnings.push_back("without `scale`, intervals near the ends of the scale are too narrow");
  if (comparison.options.weight == stats::Weight::Cluster)
    warnings.push_back("every cluster counts alike: means are of the clusters' means");
  return warnings;
}

Json difference_to_json(const RunDifference& difference) {
  Json json = {{"run", difference.run},
               {"baseline", difference.baseline},
               {"missing_pairs", difference.missing},
               {"verdict", std::string(name_of(difference.verdict))},
               {"why", difference.why.empty() ? Json(nullptr) : Json(difference.why)},
               {"why_code", difference.why.empty() ? Json(nullptr) : Json(difference.why_code)},
               {"claim_p_value", to_json_or_null(difference.claim_p_value)},
               {"claim_method", difference.claim_method},
               {"sign_flip", nullptr},
               {"mcnemar", nullptr},
               {"t_p_value", nullptr},
               {"minimum_detectable", nullptr}};
  if (difference.sign_flip) json["sign_flip"] = to_json(*difference.sign_flip);
  if (difference.mcnemar) json["mcnemar"] = to_json(*difference.mcnemar);
  const auto& comparison = difference.comparison;
  if (!comparison) {
    json["difference"] = {{"undefined", comparison.error().message}};
    return json;
  }
  json["difference"] = to_json(comparison->difference);
  json["t_p_value"] = to_json_or_null(comparison->p_value);
  json["minimum_detectable"] = to_json_or_null(comparison->minimum_detectable);
  return json;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Better:
      return "better";
    case Verdict::Worse:
      return "worse";
    case Verdict::NoDifferenceSeen:
      return "no difference seen";
    case Verdict::Undecidable:
      return "undecidable";
  }
  return "";
}

Result<Comparison> compare_runs(const ScoreTable& table, const CompareOptions& options) {
  if (table.columns.size() < 2) {
    return fail(ErrorKind::Invalid,
                "a comparison needs 2 runs: name their columns or give 2 files");
  }
  Comparison result;
  result.items = table.rows();
  result.clusters = stats::make_grouping(table.clusters).count;
  result.cluster_column = table.cluster_column;
  result.options = options;
  result.scale = options.scale;
  if (!result.scale && has_only_outcomes(table)) result.scale = stats::kUnitScale;
  result.options.scale = result.scale;
  if (result.scale) RETURN_IF_ERROR(check_on_scale(table, *result.scale));
  const stats::IntervalOptions bounds{.scale = result.scale.value_or(stats::Scale{}),
                                      .confidence = options.confidence,
                                      .weight = options.weight};
  RETURN_IF_ERROR(stats::check_confidence(options.confidence));

  std::vector<Pairs> all_pairs;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    result.runs.push_back(mean_of_run(table, column, bounds));
    if (column == 0) continue;
    all_pairs.push_back(make_pairs(table, column, bounds.scale, options.weight));
    result.differences.push_back(difference_of(table, column, all_pairs.back(), bounds, options));
    add_end_caveat(result.differences.back(), result.runs.front(), result.runs.back(), bounds);
  }
  // Where all patterns are too few for alpha, t is not to be trusted with it either.
  const bool can_flips_decide = result.clusters <= stats::kMostForAllPatterns ||
                                stats::smallest_sign_flip_p(result.clusters) <= options.alpha;
  if (result.clusters <= kMostForFlips && can_flips_decide) {
    RETURN_IF_ERROR(add_sign_flips(result.differences, all_pairs, result.options));
  } else {
    RETURN_IF_ERROR(add_t_claims(result.differences, result.options));
  }
  for (RunDifference& difference : result.differences) {
    difference.verdict = decide(difference, options);
    explain(difference, result);
  }
  result.warnings = list_warnings(result);
  return result;
}

bool has_worse(const Comparison& comparison) {
  return std::ranges::any_of(comparison.differences, [](const RunDifference& difference) {
    return difference.verdict == Verdict::Worse;
  });
}

Json to_json(const Comparison& comparison) {
  Json runs = Json::array();
  for (const RunMean& run : comparison.runs) {
    runs.push_back({{"run", run.run}, {"mean", to_json(run.mean)}, {"missing", run.missing}});
  }
  Json differences = Json::array();
  for (const RunDifference& difference : comparison.differences) {
    differences.push_back(difference_to_json(difference));
  }
  Json files = Json::array();
  for (const Unmatched& file : comparison.files) {
    files.push_back({{"run", file.run},
                     {"rows", file.rows},
                     {"unmatched", file.unmatched},
                     {"examples", file.examples}});
  }
  return {{"items", comparison.items},
          {"clusters", comparison.clusters},
          {"cluster_column", to_json_or_null(comparison.cluster_column)},
          {"scale", comparison.scale ? to_json(*comparison.scale) : Json(nullptr)},
          {"confidence", comparison.options.confidence},
          {"estimand", comparison.options.weight == stats::Weight::Cluster
                           ? "mean of the clusters' means"
                           : "mean of all rows"},
          {"alpha", comparison.options.alpha},
          {"power", comparison.options.power},
          {"seed", comparison.options.seed},
          {"runs", runs},
          {"differences", differences},
          {"files", files},
          {"warnings", comparison.warnings}};
}

}  // namespace personascope::report
