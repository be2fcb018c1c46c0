#include "report/judge_card.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "report/estimate_json.hpp"
#include "report/scale.hpp"
#include "stats/clustered.hpp"
#include "stats/paired.hpp"
#include "stats/resample.hpp"
#include "stats/score_mean.hpp"
#include "stats/sum.hpp"

namespace personascope::report {
namespace {

using stats::Estimate;
using Rows = std::span<const std::size_t>;

constexpr std::size_t kFewestLabels = 30;
constexpr double kKappaForLevels = 0.6;
constexpr double kSpearmanForRanking = 0.5;
constexpr double kStabilityForLevels = 0.8;
constexpr double kStabilityForRanking = 0.67;
constexpr double kTolerance = 0.05;  // of the scale's width

// The columns of `table` in this order, as a table of their own.
ScoreTable pick_columns(const ScoreTable& table, const std::vector<std::size_t>& columns) {
  ScoreTable picked;
  picked.ids = table.ids;
  picked.clusters = table.clusters;
  picked.cluster_column = table.cluster_column;
  for (const std::size_t column : columns) picked.columns.push_back(table.columns[column]);
  return picked;
}

std::vector<std::vector<std::size_t>> count_confusion(std::span<const double> judge,
                                                      std::span<const double> human,
                                                      const std::vector<int>& places) {
  std::vector<std::vector<std::size_t>> counts(places.size(),
                                               std::vector<std::size_t>(places.size()));
  for (std::size_t i = 0; i < judge.size(); ++i) {
    ++counts[static_cast<std::size_t>(std::round(human[i]) - places.front())]
            [static_cast<std::size_t>(std::round(judge[i]) - places.front())];
  }
  return counts;
}

bool are_whole(std::span<const double> scores) {
  return std::ranges::all_of(scores, [](double score) { return score == std::round(score); });
}

// Kappas of the nearest levels, rank correlations of the scores as they are.
RaterPair measure_rounded_pair(const ScoreTable& table, const CardColumns& columns,
                               const AgreementOptions& options) {
  RaterPair pair = measure_pair(table, columns.judge, columns.human, options);
  ScoreTable rounded = pick_columns(table, {columns.judge, columns.human});
  for (ScoreColumn& column : rounded.columns)
    for (auto& cell : column.cells)
      if (cell) cell = std::round(*cell);
  for (const Coefficient& coefficient : measure_pair(rounded, 0, 1, options).coefficients)
    if (coefficient.name.ends_with("kappa"))
      *std::ranges::find(pair.coefficients, coefficient.name, &Coefficient::name) = coefficient;
  return pair;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return stats::quantile_of_sorted(values, 0.5);
}

// The mean error of longer answers minus that of shorter ones.
Result<Estimate> measure_length_bias(const ScoreTable& table, const CardColumns& columns,
                                     const AgreementOptions& options) {
  const std::size_t needed[] = {columns.judge, columns.human, *columns.length};
  const CompleteRows rows_of = complete_rows(table, needed);
  if (rows_of.rows.empty()) {
    return fail(ErrorKind::Invalid, "no labelled item has a length");
  }
  const double middle = median_of(rows_of.values[2]);
  const auto statistic = [&](Rows rows) -> Result<double> {
    stats::Sum sums[2];
    std::size_t counts[2] = {0, 0};
    for (const std::size_t row : rows) {
      const bool is_long = rows_of.values[2][row] > middle;
      sums[is_long].add(rows_of.values[0][row] - rows_of.values[1][row]);
      ++counts[is_long];
    }
    if (counts[0] == 0 || counts[1] == 0) {
      return fail(ErrorKind::Invalid, "the lengths do not vary");
    }
    return sums[1].value() / stats::real(counts[1]) - sums[0].value() / stats::real(counts[0]);
  };
  ASSIGN_OR_RETURN(Estimate estimate,
                   stats::resample(rows_of.clusters, statistic,
                                   {.seed = options.seed,
                                    .threads = options.threads,
                                    .bounds = {.confidence = options.confidence}}));
  estimate.interval_method =
      std::exchange(estimate.method, "mean error of longer minus shorter answers");
  if (estimate.has(stats::Caveat::NoVariation) && !estimate.has(stats::Caveat::TooFewForInterval)) {
    // The same on every resample, as where no error is made: half of the items are long ones.
    const double half = stats::half_width_of_equal(std::max<std::size_t>(1, estimate.n / 2),
                                                   options.scale->high - options.scale->low,
                                                   (1 - options.confidence) / 2);
    estimate.interval = stats::Interval{estimate.value - half, estimate.value + half};
    estimate.interval_method = "equal on every resample, unseen items by the whole scale";
  }
  return estimate;
}

Result<Estimate> measure_order_bias(const ScoreTable& table, const CardColumns& columns,
                                    const stats::IntervalOptions& bounds) {
  const std::size_t needed[] = {columns.judge, *columns.reversed};
  const CompleteRows rows = complete_rows(table, needed);
  ASSIGN_OR_RETURN(stats::PairedComparison compared,
                   stats::compare_paired(rows.values[0], rows.values[1], rows.clusters, bounds));
  return std::move(compared.difference);
}

Result<Estimate> measure_stability(const ScoreTable& table, const CardColumns& columns,
                                   const AgreementOptions& options) {
  std::vector<std::size_t> asked = columns.repeats;
  asked.insert(asked.begin(), columns.judge);
  return measure_alpha(pick_columns(table, asked), options);
}

// ---- the verdict ----

// Judges one demand: notes the reason if it is not met.
class Demands {
 public:
  void at_least(const Result<Estimate>& estimate, double bound, std::string_view what) {
    if (!estimate || !estimate->interval) {
      miss(fmt::format("{} has no interval", what));
    } else if (estimate->interval->low < bound) {
      miss(fmt::format("{} may be as low as {:.2f}; at least {} is needed", what,
                       estimate->interval->low, bound));
    }
  }
  void within(const Result<Estimate>& estimate, double bound, std::string_view what) {
    if (!estimate || !estimate->interval) {
      miss(fmt::format("{} has no interval", what));
      return;
    }
    const double largest =
        std::max(std::abs(estimate->interval->low), std::abs(estimate->interval->high));
    if (largest > bound) {
      miss(fmt::format("{} may be as large as {:.2f}; at most {:.2f} is allowed", what, largest,
                       bound));
    }
  }
  // A bias that could not be measured, for example since all lengths are equal, is not asked for.
  void no_bias(const std::optional<Result<Estimate>>& estimate, double bound,
               std::string_view what) {
    if (estimate && *estimate) within(*estimate, bound, what);
  }
  bool met() const { return reasons_.empty(); }
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  void miss(std::string reason) { reasons_.push_back(std::move(reason)); }
  std::vector<std::string> reasons_;
};

const Result<Estimate>& find_coefficient(const RaterPair& pair, std::string_view name) {
  return std::ranges::find(pair.coefficients, name, &Coefficient::name)->estimate;
}

// Why the labels say nothing of any judge; empty if they do.
std::string find_lack(const JudgeCard& card, std::span<const double> judge,
                      std::span<const double> labels) {
  if (card.labelled < kFewestLabels)
    return fmt::format("{} label{}; at least {} are needed", card.labelled,
                       card.labelled == 1 ? "" : "s", kFewestLabels);
  if (std::ranges::adjacent_find(labels, std::ranges::not_equal_to{}) == labels.end())
    return "all labels are the same";
  if (!card.mean_error || card.mean_error->has(stats::Caveat::NoError) ||
      card.mean_error->has(stats::Caveat::TooFewForInterval))
    return "the labels come from too few clusters for an interval";
  const auto& spearman = find_coefficient(card.agreement, "Spearman");
  const bool judge_varies =
      std::ranges::adjacent_find(judge, std::ranges::not_equal_to{}) != judge.end();
  if (judge_varies && spearman && spearman->has(stats::Caveat::MostlyUndefined))
    return "nearly all labels are the same, so their rank correlation has no interval";
  return {};
}

void decide(JudgeCard& card, std::span<const double> judge, std::span<const double> labels,
            double width) {
  if (std::string lack = find_lack(card, judge, labels); !lack.empty()) {
    card.fitness = Fitness::NotEnoughLabels;
    card.reasons = {std::move(lack)};
    return;
  }
  const auto& kappa = find_coefficient(card.agreement, "weighted kappa");
  const auto& spearman = find_coefficient(card.agreement, "Spearman");
  Demands levels;
  levels.at_least(kappa, kKappaForLevels, "weighted kappa");
  levels.within(card.mean_error, kTolerance * width, "the mean error");
  levels.no_bias(card.length_bias, kTolerance * width, "the length bias");
  levels.no_bias(card.order_bias, kTolerance * width, "the order bias");
  if (card.stability) levels.at_least(*card.stability, kStabilityForLevels, "the repeats' alpha");
  card.reasons = levels.reasons();
  card.fitness = Fitness::Levels;
  if (levels.met()) return;

  Demands ranking;
  ranking.at_least(spearman, kSpearmanForRanking, "Spearman");
  if (card.stability) ranking.at_least(*card.stability, kStabilityForRanking, "the repeats' alpha");
  card.fitness = ranking.met() ? Fitness::RankingOnly : Fitness::NotFit;
  if (!ranking.met()) card.reasons = ranking.reasons();
}

}  // namespace

std::string_view name_of(Fitness fitness) {
  switch (fitness) {
    case Fitness::Levels:
      return "fit for levels";
    case Fitness::RankingOnly:
      return "fit for ranking only";
    case Fitness::NotFit:
      return "not fit";
    case Fitness::NotEnoughLabels:
      return "not enough labels";
  }
  return "";
}

Result<JudgeCard> make_judge_card(const ScoreTable& table, const CardColumns& columns,
                                  const AgreementOptions& options) {
  if (!options.scale)
    return fail(ErrorKind::Invalid, "a judge card needs the scale: give `scale`, such as 1-5");
  std::vector<std::size_t> judged = {columns.judge, columns.human};
  judged.insert(judged.end(), columns.repeats.begin(), columns.repeats.end());
  if (columns.reversed) judged.push_back(*columns.reversed);
  RETURN_IF_ERROR(check_on_scale(table, *options.scale, judged));
  const std::size_t both[] = {columns.judge, columns.human};
  const CompleteRows rows = complete_rows(table, both);
  if (rows.rows.empty()) {
    return fail(ErrorKind::Invalid, "no item has both a score of the judge and a human label");
  }
  std::vector<double> matches;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    matches.push_back(rows.values[0][i] == rows.values[1][i] ? 1 : 0);
  }
  const stats::IntervalOptions bounds{.scale = *options.scale, .confidence = options.confidence};
  const stats::IntervalOptions shares{.scale = stats::kUnitScale, .confidence = options.confidence};
  const auto compared =
      stats::compare_paired(rows.values[1], rows.values[0], rows.clusters, bounds);

  JudgeCard card{.items = table.rows(),
                 .labelled = rows.rows.size(),
                 .cluster_column = table.cluster_column,
                 .options = options,
                 .places = make_places(*options.scale).value_or(std::vector<int>{}),
                 .confusion = {},
                 .exact = stats::score_mean(matches, rows.clusters, shares),
                 .mean_error = fail(ErrorKind::Invalid, "not measured"),
                 .agreement = measure_pair(table, columns.judge, columns.human, options),
                 .length_bias = {},
                 .order_bias = {},
                 .stability = {},
                 .fitness = Fitness::NotEnoughLabels,
                 .reasons = {},
                 .warnings = {}};
  if (compared) {
    card.mean_error = compared->difference;
  } else {
    card.mean_error = std::unexpected(compared.error());
  }
  const auto& labels = table.columns[columns.human].cells;
  const auto given =
      std::ranges::count_if(labels, [](const auto& cell) { return cell.has_value(); });
  card.unjudged = static_cast<std::size_t>(given) - card.labelled;
  card.rounded = !are_whole(rows.values[0]) || !are_whole(rows.values[1]);
  if (card.rounded) card.agreement = measure_rounded_pair(table, columns, options);
  if (!card.places.empty()) {
    card.confusion = count_confusion(rows.values[0], rows.values[1], card.places);
  }
  if (columns.length) card.length_bias = measure_length_bias(table, columns, options);
  if (columns.reversed) card.order_bias = measure_order_bias(table, columns, bounds);
  if (!columns.repeats.empty()) card.stability = measure_stability(table, columns, options);
  decide(card, rows.values[0], rows.values[1], options.scale->high - options.scale->low);
  return card;
}

Json to_json(const JudgeCard& card) {
  Json coefficients = Json::array();
  for (const Coefficient& coefficient : card.agreement.coefficients) {
    coefficients.push_back(to_json(coefficient));
  }
  const auto optional_json = [](const std::optional<Result<Estimate>>& estimate) {
    return estimate ? to_json(*estimate) : Json(nullptr);
  };
  return {{"judge", card.agreement.first},
          {"human", card.agreement.second},
          {"items", card.items},
          {"labelled", card.labelled},
          {"unmatched_labels", card.unmatched},
          {"unjudged", card.unjudged},
          {"cluster_column", to_json_or_null(card.cluster_column)},
          {"scale", to_json(*card.options.scale)},
          {"confidence", card.options.confidence},
          {"places", card.places},
          {"rounded", card.rounded},
          {"confusion", card.confusion},
          {"exact", to_json(card.exact)},
          {"mean_error", to_json(card.mean_error)},
          {"agreement", coefficients},
          {"length_bias", optional_json(card.length_bias)},
          {"order_bias", optional_json(card.order_bias)},
          {"stability", optional_json(card.stability)},
          {"fitness", std::string(name_of(card.fitness))},
          {"reasons", card.reasons},
          {"warnings", card.warnings}};
}

}  // namespace personascope::report
