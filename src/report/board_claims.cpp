#include "report/board_claims.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stats/multiplicity.hpp"
#include "stats/paired.hpp"
#include "stats/sign_flip.hpp"

namespace personascope::report {
namespace {

// Pairs times clusters times patterns: some seconds.
constexpr double kMostWork = 6e9;

struct PairRows {
  CompleteRows rows;
  std::vector<double> differences;  // first column less the second
};

PairRows make_pair_rows(const ScoreTable& table, std::size_t first, std::size_t second) {
  const std::size_t both[] = {first, second};
  PairRows pair{complete_rows(table, both), {}};
  for (std::size_t i = 0; i < pair.rows.rows.size(); ++i)
    pair.differences.push_back(pair.rows.values[0][i] - pair.rows.values[1][i]);
  return pair;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

bool can_flip(std::size_t pairs, std::size_t clusters, const BoardOptions& options) {
  const double patterns = clusters <= stats::kMostForAllPatterns
                              ? std::ldexp(1.0, static_cast<int>(clusters) - 1)
                              : static_cast<double>(options.flips);
  return static_cast<double>(pairs) * static_cast<double>(clusters) * patterns <= kMostWork;
}

Result<std::vector<double>> flip_all(const std::vector<PairRows>& all,
                                     const BoardOptions& options) {
  std::vector<stats::Comparison> comparisons;
  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].differences.empty()) continue;
    comparisons.push_back({all[i].differences, all[i].rows.clusters});
    tested.push_back(i);
  }
  std::vector<double> p_values(all.size(), 1);
  if (comparisons.empty()) return p_values;
  ASSIGN_OR_RETURN(const auto results,
                   stats::max_t_test(comparisons, {.replicates = options.flips,
                                                   .seed = options.seed,
                                                   .threads = options.threads}));
  for (std::size_t k = 0; k < tested.size(); ++k)
    p_values[tested[k]] = results[k].step_down_p_value;
  return p_values;
}

Result<std::vector<double>> test_all(const std::vector<PairRows>& all) {
  std::vector<double> p_values;
  for (const PairRows& pair : all) {
    const auto compared =
        stats::compare_paired(pair.rows.values[1], pair.rows.values[0], pair.rows.clusters);
    const auto found = compared ? compared->p_value : std::nullopt;
    const bool is_constant = compared && compared->difference.has(stats::Caveat::NoVariation);
    // The same in every cluster: all signs are equal, or there are none.
    const double of_signs = is_constant && compared->difference.value != 0
                                ? std::ldexp(2.0, -static_cast<int>(compared->difference.clusters))
                                : 1;
    p_values.push_back(found.value_or(of_signs));
  }
  return stats::holm(p_values);
}

}  // namespace

Result<Claims> make_claims(const ScoreTable& table, const BoardOptions& options) {
  Claims claims;
  std::vector<PairRows> all;
  for (std::size_t first = 0; first < table.columns.size(); ++first)
    for (std::size_t second = first + 1; second < table.columns.size(); ++second) {
      all.push_back(make_pair_rows(table, first, second));
      BoardPair pair{.first = first,
                     .second = second,
                     .items = all.back().differences.size(),
                     .difference = mean_of(all.back().differences)};
      if (pair.difference < 0) {
        std::swap(pair.first, pair.second);
        pair.difference = -pair.difference;
      }
      claims.pairs.push_back(pair);
    }
  if (all.empty()) return claims;
  std::vector<std::size_t> clusters = table.clusters;
  std::ranges::sort(clusters);
  clusters.erase(std::ranges::unique(clusters).begin(), clusters.end());
  std::vector<double> p_values;
  if (can_flip(all.size(), clusters.size(), options)) {
    ASSIGN_OR_RETURN(p_values, flip_all(all, options));
    claims.method = "sign flip, max-T step down";
  } else {
    ASSIGN_OR_RETURN(p_values, test_all(all));
    claims.method = "paired t, Holm";
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    claims.pairs[i].p_value = p_values[i];
    claims.pairs[i].is_claimed =
        p_values[i] <= 1 - options.confidence && claims.pairs[i].difference > 0;
  }
  return claims;
}

}  // namespace personascope::report
