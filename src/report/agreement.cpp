#include "report/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "base/text.hpp"
#include "report/estimate_json.hpp"
#include "report/scale.hpp"
#include "stats/gwet.hpp"
#include "stats/icc.hpp"
#include "stats/kappa.hpp"
#include "stats/rank.hpp"
#include "stats/resample.hpp"

namespace personascope::report {
namespace {

using stats::AgreementWeights;
using stats::Estimate;
using stats::Level;
using Places = Result<std::vector<int>>;
using Rows = std::span<const std::size_t>;
using OfRows = std::function<Result<Estimate>(Rows)>;

constexpr std::size_t kMostRatersForPairs = 8;
constexpr std::size_t kMostNames = 1000;  // a kappa counts every pair of them
constexpr const char* kOneRater = "there is only one rater; agreement needs two";

Places places_of(const ScoreTable& table, const AgreementOptions& options) {
  if (!table.labels.empty()) {
    if (table.labels.size() > kMostNames)
      return fail(ErrorKind::Invalid, "there are {} different ratings; at most {} are allowed",
                  table.labels.size(), kMostNames);
    std::vector<int> places(table.labels.size());
    std::iota(places.begin(), places.end(), 0);
    return places;
  }
  if (options.scale) return make_places(*options.scale);
  return fail(ErrorKind::Invalid, "the full scale is needed: give `scale` as LOW-HIGH");
}

Result<int> whole(double score) {
  if (score != std::floor(score) || std::abs(score) > 1e9)
    return fail(ErrorKind::Invalid, "the score {} is not a whole number", score);
  return static_cast<int>(score);
}

// Raters that agree on every item agree on every resample as well, which shows no spread. The lower
// end allows for a share of items that so many may not show and that would agree by chance only.
void add_interval_of_perfect(Estimate& estimate, double confidence) {
  const double tail = (1 - confidence) / 2;
  estimate.interval = stats::Interval{std::pow(tail, 1 / static_cast<double>(estimate.n)), 1};
  std::erase(estimate.caveats, stats::Caveat::NoVariation);
  std::erase(estimate.caveats, stats::Caveat::PercentileInstead);
  estimate.interval_method = "perfect agreement, unseen items by chance";
}

// The statistic on all rows, with an interval by drawing rows anew.
Result<Estimate> with_interval(std::span<const std::size_t> clusters, const OfRows& statistic,
                               const AgreementOptions& options) {
  std::vector<std::size_t> all(clusters.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  ASSIGN_OR_RETURN(const Estimate on_all, statistic(all));
  const auto value = [&](Rows rows) -> Result<double> {
    ASSIGN_OR_RETURN(const Estimate estimate, statistic(rows));
    return estimate.value;
  };
  ASSIGN_OR_RETURN(
      Estimate estimate,
      stats::resample(clusters, value,
                      {.seed = options.seed,
                       .threads = options.threads,
                       .bounds = {.scale = {.high = 1}, .confidence = options.confidence}}));
  estimate.interval_method = std::exchange(estimate.method, on_all.method);
  const bool is_perfect = estimate.has(stats::Caveat::NoVariation) && estimate.value > 1 - 1e-12;
  if (is_perfect && !estimate.has(stats::Caveat::TooFewForInterval))
    add_interval_of_perfect(estimate, options.confidence);
  return estimate;
}

// ---- all raters at once ----

// The items with at least so many ratings: what says nothing is not drawn, and not counted.
ScoreTable keep_rated(const ScoreTable& table, std::ptrdiff_t fewest) {
  ScoreTable kept;
  for (const ScoreColumn& column : table.columns) kept.columns.push_back({column.name, {}});
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto has_rated = [&](const ScoreColumn& column) { return column.cells[row].has_value(); };
    if (std::ranges::count_if(table.columns, has_rated) < fewest) continue;
    kept.clusters.push_back(table.clusters[row]);
    for (std::size_t rater = 0; rater < table.columns.size(); ++rater)
      kept.columns[rater].cells.push_back(table.columns[rater].cells[row]);
  }
  return kept;
}

std::vector<stats::Rating> ratings_of(const ScoreTable& table, Rows rows) {
  std::vector<stats::Rating> ratings;
  ratings.reserve(rows.size() * table.columns.size());
  for (std::size_t item = 0; item < rows.size(); ++item) {  // a row drawn twice is two items
    for (std::size_t rater = 0; rater < table.columns.size(); ++rater) {
      if (const auto& cell = table.columns[rater].cells[rows[item]]) {
        ratings.push_back({item, rater, *cell});
      }
    }
  }
  return ratings;
}

Result<Estimate> fleiss(const CompleteRows& complete, Rows rows, const Places& places) {
  if (!places) return std::unexpected(places.error());
  std::vector<int> scores;
  scores.reserve(rows.size() * complete.values.size());
  for (const std::size_t row : rows) {
    for (const auto& rater : complete.values) {
      ASSIGN_OR_RETURN(const int score, whole(rater[row]));
      scores.push_back(score);
    }
  }
  return stats::fleiss_kappa(scores, complete.values.size(), *places);
}

Result<Estimate> icc(const CompleteRows& complete, Rows rows, stats::Icc form) {
  std::vector<double> scores;
  scores.reserve(rows.size() * complete.values.size());
  for (const std::size_t row : rows) {
    for (const auto& rater : complete.values) scores.push_back(rater[row]);
  }
  return stats::intraclass_correlation(scores, complete.values.size(), form);
}

std::vector<Coefficient> measure_overall(const ScoreTable& table, const CompleteRows& complete,
                                         const Places& places, const AgreementOptions& options) {
  std::vector<Coefficient> list;
  const ScoreTable rated = keep_rated(table, 1);
  const auto add = [&](std::string name, std::span<const std::size_t> clusters,
                       const OfRows& statistic) {
    if (table.columns.size() < 2)
      list.push_back({std::move(name), fail(ErrorKind::Invalid, kOneRater)});
    else if (clusters.empty())
      list.push_back({std::move(name), fail(ErrorKind::Invalid, "no item was rated by all")});
    else
      list.push_back({std::move(name), with_interval(clusters, statistic, options)});
  };
  const auto gwet = [&](Rows rows, AgreementWeights weights) -> Result<Estimate> {
    if (!places) return std::unexpected(places.error());
    return stats::gwet_ac(ratings_of(rated, rows), *places, weights);
  };
  list.push_back({fmt::format("Krippendorff alpha, {}", name_of(options.level)),
                  measure_alpha(table, options)});
  add("Fleiss kappa", complete.clusters, [&](Rows rows) { return fleiss(complete, rows, places); });
  add("Gwet AC1", rated.clusters, [&](Rows rows) { return gwet(rows, AgreementWeights::Nominal); });
  if (options.level == Level::Nominal) return list;
  add("Gwet AC2, quadratic", rated.clusters,
      [&](Rows rows) { return gwet(rows, AgreementWeights::Quadratic); });
  add("ICC(A,1)", complete.clusters,
      [&](Rows rows) { return icc(complete, rows, stats::Icc::AgreementSingle); });
  add("ICC(A,k)", complete.clusters,
      [&](Rows rows) { return icc(complete, rows, stats::Icc::AgreementMean); });
  return list;
}

// ---- two raters ----

std::vector<double> pick(std::span<const double> values, Rows rows) {
  std::vector<double> picked;
  picked.reserve(rows.size());
  for (const std::size_t row : rows) picked.push_back(values[row]);
  return picked;
}

Result<std::vector<int>> pick_whole(std::span<const double> values, Rows rows) {
  std::vector<int> picked;
  picked.reserve(rows.size());
  for (const std::size_t row : rows) {
    ASSIGN_OR_RETURN(const int score, whole(values[row]));
    picked.push_back(score);
  }
  return picked;
}

}  // namespace

std::string_view name_of(Level level) {
  switch (level) {
    case Level::Nominal:
      return "nominal";
    case Level::Ordinal:
      return "ordinal";
    case Level::Interval:
      return "interval";
    case Level::Ratio:
      return "ratio";
  }
  return "";
}

Result<Estimate> measure_alpha(const ScoreTable& table, const AgreementOptions& options) {
  if (table.columns.size() < 2) return fail(ErrorKind::Invalid, kOneRater);
  const ScoreTable paired = keep_rated(table, 2);
  const auto alpha = [&](Rows rows) {
    return stats::krippendorff_alpha(ratings_of(paired, rows), options.level);
  };
  return with_interval(paired.clusters, alpha, options);
}

RaterPair measure_pair(const ScoreTable& table, std::size_t first, std::size_t second,
                       const AgreementOptions& options) {
  const std::size_t both[] = {first, second};
  const CompleteRows rows_of = complete_rows(table, both);
  const Places places = places_of(table, options);
  RaterPair pair{.first = table.columns[first].name,
                 .second = table.columns[second].name,
                 .items = rows_of.rows.size(),
                 .coefficients = {}};
  const auto add = [&](std::string name, const OfRows& statistic) {
    if (rows_of.rows.empty()) {
      pair.coefficients.push_back(
          {std::move(name), fail(ErrorKind::Invalid, "no item was rated by both")});
    } else {
      pair.coefficients.push_back(
          {std::move(name), with_interval(rows_of.clusters, statistic, options)});
    }
  };
  const auto kappa = [&](Rows rows, AgreementWeights weights) -> Result<Estimate> {
    if (!places) return std::unexpected(places.error());
    ASSIGN_OR_RETURN(const auto x, pick_whole(rows_of.values[0], rows));
    ASSIGN_OR_RETURN(const auto y, pick_whole(rows_of.values[1], rows));
    return stats::cohen_kappa(x, y, *places, weights);
  };
  add("Cohen kappa", [&](Rows rows) { return kappa(rows, AgreementWeights::Nominal); });
  if (options.level == Level::Nominal) return pair;
  add("weighted kappa", [&](Rows rows) { return kappa(rows, AgreementWeights::Quadratic); });
  add("Spearman", [&](Rows rows) {
    return stats::spearman(pick(rows_of.values[0], rows), pick(rows_of.values[1], rows));
  });
  add("Kendall tau-b", [&](Rows rows) {
    return stats::kendall_tau_b(pick(rows_of.values[0], rows), pick(rows_of.values[1], rows));
  });
  return pair;
}

Result<Agreement> measure_agreement(const ScoreTable& table, const AgreementOptions& options) {
  RETURN_IF_ERROR(stats::check_confidence(options.confidence));
  if (options.scale && table.labels.empty()) RETURN_IF_ERROR(check_on_scale(table, *options.scale));
  std::vector<std::size_t> all(table.columns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const CompleteRows complete = complete_rows(table, all);

  Agreement agreement;
  agreement.items = table.rows();
  agreement.complete_items = complete.rows.size();
  agreement.cluster_column = table.cluster_column;
  agreement.options = options;
  for (const ScoreColumn& column : table.columns) {
    agreement.raters.push_back(column.name);
    for (const auto& cell : column.cells) agreement.missing += !cell;
  }
  agreement.ratings = table.rows() * table.columns.size() - agreement.missing;
  agreement.overall = measure_overall(table, complete, places_of(table, options), options);
  if (table.columns.size() <= kMostRatersForPairs) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      for (std::size_t j = i + 1; j < table.columns.size(); ++j) {
        agreement.pairs.push_back(measure_pair(table, i, j, options));
      }
    }
  }
  return agreement;
}

Json to_json(const Coefficient& coefficient) {
  return {{"name", coefficient.name}, {"estimate", to_json(coefficient.estimate)}};
}

Json to_json(const Agreement& agreement) {
  Json overall = Json::array();
  for (const Coefficient& coefficient : agreement.overall) overall.push_back(to_json(coefficient));
  Json pairs = Json::array();
  for (const RaterPair& pair : agreement.pairs) {
    Json list = Json::array();
    for (const Coefficient& coefficient : pair.coefficients) list.push_back(to_json(coefficient));
    pairs.push_back({{"first", pair.first},
                     {"second", pair.second},
                     {"items", pair.items},
                     {"coefficients", list}});
  }
  const auto& scale = agreement.options.scale;
  return {{"items", agreement.items},
          {"raters", agreement.raters},
          {"ratings", agreement.ratings},
          {"missing", agreement.missing},
          {"complete_items", agreement.complete_items},
          {"cluster_column", to_json_or_null(agreement.cluster_column)},
          {"level", std::string(name_of(agreement.options.level))},
          {"scale", scale ? to_json(*scale) : Json(nullptr)},
          {"confidence", agreement.options.confidence},
          {"seed", agreement.options.seed},
          {"overall", overall},
          {"pairs", pairs},
          {"warnings", agreement.warnings}};
}

}  // namespace personascope::report
