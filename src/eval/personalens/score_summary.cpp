#include "eval/personalens/score_summary.hpp"

#include <algorithm>
#include <cmath>

#include "stats/score_mean.hpp"

namespace personascope::eval::personalens {
namespace {

const char* name_of_mean(const ScoreScale& scale) {
  return scale.is_rate() ? "rate" : "mean";
}

// Puts the interval and what it rests on into `value`.
void add_interval(Json& value, std::span<const ScoreRow> rows, const stats::Scale& bounds) {
  value["ci95"] = nullptr;
  if (rows.empty()) return;
  std::vector<double> scores;
  std::vector<std::size_t> users, tasks;
  for (const ScoreRow& row : rows) {
    scores.push_back(row.score);
    users.push_back(row.user);
    tasks.push_back(row.task);
  }
  stats::IntervalOptions options;
  options.scale = bounds;
  const auto estimate = stats::two_way_score_mean(scores, users, tasks, options);
  if (!estimate) {
    value["caveats"] = Json::array({estimate.error().message});
    return;
  }
  if (estimate->interval) value["ci95"] = {estimate->interval->low, estimate->interval->high};
  if (estimate->standard_error) value["standard_error"] = *estimate->standard_error;
  value["clusters"] = estimate->clusters;
  value["method"] = estimate->method;
  value["caveats"] = Json::array();
  for (const stats::Caveat caveat : estimate->caveats)
    value["caveats"].push_back(stats::sentence_of(caveat, "user"));
}

double mean_of(std::span<const ScoreRow> rows) {
  double sum = 0;
  for (const ScoreRow& row : rows) sum += row.score;
  return sum / static_cast<double>(rows.size());
}

}  // namespace

Json summarize_scores(std::span<const ScoreRow> rows, const ScoreScale& scale) {
  Json value = {{"count", rows.size()},
                {name_of_mean(scale), nullptr},
                {"min", nullptr},
                {"max", nullptr},
                {"distribution", Json::object()}};
  for (int level = scale.low; level <= scale.high; ++level)
    value["distribution"]
         [scale.is_rate() ? (level == 0 ? "False" : "True") : std::to_string(level)] = 0;
  add_interval(value, rows, {static_cast<double>(scale.low), static_cast<double>(scale.high)});
  if (rows.empty()) return value;
  double least = rows.front().score;
  double most = rows.front().score;
  for (const ScoreRow& row : rows) {
    least = std::min(least, row.score);
    most = std::max(most, row.score);
    const long level = std::lround(row.score);
    Json& count = value["distribution"]
                       [scale.is_rate() ? (level == 0 ? "False" : "True") : std::to_string(level)];
    count = count.is_null() ? 1 : count.get<std::int64_t>() + 1;
  }
  value[name_of_mean(scale)] = mean_of(rows);
  value["min"] = least;
  value["max"] = most;
  return value;
}

Json summarize_by_domain(std::span<const ScoreRow> rows, const ScoreScale& scale,
                         const std::vector<std::string>& domain_by_task) {
  std::map<std::string, std::pair<std::int64_t, double>> sums;
  for (const ScoreRow& row : rows) {
    auto& [count, sum] = sums[domain_by_task[row.task]];
    ++count;
    sum += row.score;
  }
  Json value = Json::object();
  for (const auto& [domain, total] : sums)
    value[domain] = {{"count", total.first},
                     {name_of_mean(scale), total.second / static_cast<double>(total.first)}};
  return value;
}

Json summarize_differences(std::span<const ScoreRow> rows) {
  Json value = {{"pairs", rows.size()}, {"difference", nullptr}};
  add_interval(value, rows, {});
  if (!rows.empty()) value["difference"] = mean_of(rows);
  return value;
}

}  // namespace personascope::eval::personalens
