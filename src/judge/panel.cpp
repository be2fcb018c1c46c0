#include "judge/panel.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "stats/krippendorff.hpp"
#include "stats/resample.hpp"
#include "stats/sum.hpp"
#include "stats/votes.hpp"

namespace personascope::judge {
namespace {

std::vector<double> scores_of(std::span<const core::Verdict> verdicts) {
  std::vector<double> scores;
  for (const core::Verdict& verdict : verdicts)
    if (core::is_scored(verdict)) scores.push_back(verdict.score);
  std::ranges::sort(scores);
  return scores;
}

double median_of(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// One column a judge, over the items that all scored.
std::vector<std::vector<double>> common_scores(std::span<const stats::Rating> ratings,
                                               std::size_t judges) {
  std::map<std::size_t, std::vector<double>> by_item;
  for (const stats::Rating& rating : ratings) {
    auto& row = by_item[rating.item];
    row.resize(judges, NAN);
    if (rating.rater < judges) row[rating.rater] = rating.value;
  }
  std::vector<std::vector<double>> columns(judges);
  for (const auto& [item, row] : by_item) {
    if (std::ranges::any_of(row, [](double score) { return std::isnan(score); })) continue;
    for (std::size_t judge = 0; judge < judges; ++judge) columns[judge].push_back(row[judge]);
  }
  return columns;
}

}  // namespace

std::string_view name_of(PanelRule rule) {
  return rule == PanelRule::Mean ? "mean" : "median";
}

std::optional<PanelRule> find_panel_rule(std::string_view name) {
  for (const PanelRule rule : {PanelRule::Mean, PanelRule::Median})
    if (name_of(rule) == name) return rule;
  return std::nullopt;
}

core::Verdict combine_panel(std::span<const core::Verdict> verdicts, PanelRule rule) {
  if (verdicts.size() == 1) return verdicts.front();
  const auto declined = std::ranges::count_if(verdicts, &core::Verdict::answer_declines);
  if (2 * declined > std::ssize(verdicts)) return core::make_declined("");
  const std::vector<double> scores = scores_of(verdicts);
  if (!scores.empty())
    return core::make_score(rule == PanelRule::Mean ? stats::mean_of(scores) : median_of(scores),
                            "");
  core::Verdict combined;
  for (const auto kind :
       {core::VerdictKind::Failed, core::VerdictKind::CannotAssess, core::VerdictKind::Refused}) {
    const auto first = std::ranges::find(verdicts, kind, &core::Verdict::kind);
    if (first != verdicts.end()) combined = *first;
  }
  combined.text.clear();
  combined.distribution.reset();
  return combined;
}

bool differs_widely(std::span<const core::Verdict> verdicts) {
  const std::vector<double> scores = scores_of(verdicts);
  return scores.size() >= 2 && scores.back() - scores.front() >= kWideDifference;
}

Result<stats::Estimate> measure_agreement(std::span<const stats::Rating> ratings,
                                          std::size_t judges,
                                          std::span<const std::size_t> clusters) {
  std::vector<std::vector<stats::Rating>> by_item(clusters.size());
  for (const stats::Rating& rating : ratings)
    if (rating.rater < judges) by_item[rating.item].push_back(rating);
  std::vector<std::size_t> items;  // those that say anything
  std::vector<std::size_t> groups;
  for (std::size_t item = 0; item < by_item.size(); ++item) {
    if (by_item[item].size() < 2) continue;
    items.push_back(item);
    groups.push_back(clusters[item]);
  }
  const auto alpha_of = [&](std::span<const std::size_t> rows) {
    std::vector<stats::Rating> chosen;
    for (std::size_t i = 0; i < rows.size(); ++i)  // a row drawn twice is two items
      for (const stats::Rating& rating : by_item[items[rows[i]]])
        chosen.push_back({i, rating.rater, rating.value});
    return stats::krippendorff_alpha(chosen, stats::Level::Ordinal);
  };
  std::vector<std::size_t> all(items.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  ASSIGN_OR_RETURN(const stats::Estimate on_all, alpha_of(all));
  ASSIGN_OR_RETURN(stats::Estimate alpha,
                   stats::resample(groups,
                                   [&](std::span<const std::size_t> rows) -> Result<double> {
                                     ASSIGN_OR_RETURN(const stats::Estimate estimate,
                                                      alpha_of(rows));
                                     return estimate.value;
                                   },
                                   {.bounds = {.scale = {.high = 1}}}));
  alpha.interval_method = std::exchange(alpha.method, on_all.method);
  return alpha;
}

Result<stats::Estimate> least_effective_votes(std::span<const stats::Rating> ratings,
                                              std::size_t judges) {
  if (judges < 2) return fail(ErrorKind::Invalid, "one judge is one vote");
  const auto columns = common_scores(ratings, judges);
  if (columns.front().size() < 3)
    return fail(ErrorKind::Invalid, "the judges scored only {} items in common",
                columns.front().size());
  std::vector<double> correlations;
  for (std::size_t row = 0; row < judges; ++row) {
    if (!(stats::squared_deviations(columns[row]) > 0))
      return fail(ErrorKind::Invalid, "a judge gave the same score to every item");
    for (std::size_t column = 0; column < judges; ++column) {
      const double product =
          stats::squared_deviations(columns[row]) * stats::squared_deviations(columns[column]);
      const double value = row == column ? 1
                                         : stats::cross_deviations(columns[row], columns[column]) /
                                               std::sqrt(product);
      correlations.push_back(std::clamp(value, -1.0, 1.0));
    }
  }
  ASSIGN_OR_RETURN(const double votes, stats::effective_votes(correlations, judges));
  // Judges that contradict each other are not worth more than they are.
  return stats::bare_estimate(std::min(votes, stats::real(judges)), columns.front().size(),
                              "Kish, from the correlations of scores");
}

}  // namespace personascope::judge
