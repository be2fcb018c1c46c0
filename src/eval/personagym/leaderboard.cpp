#include "eval/personagym/leaderboard.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "eval/personagym/published_tasks.hpp"
#include "stats/distribution.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::size_t kFewestPersonas = 5;
constexpr stats::IntervalOptions kBounds{.scale = {1, 5}, .confidence = 0.95};

// The figure's mean with a t interval if its deviation is known.
Result<stats::Estimate> read_figure(const Json& figure, std::optional<std::int64_t> count) {
  const auto mean = find_number(figure, "mean");
  if (!mean) return fail(ErrorKind::Invalid, "has no \"mean\"");
  if (count && *count < 1) return fail(ErrorKind::Invalid, "has no personas");
  stats::Estimate estimate;
  estimate.value = *mean;
  estimate.n = estimate.clusters = static_cast<std::size_t>(count.value_or(0));
  const auto deviation = find_number(figure, "sd");
  if (deviation && *deviation < 0) return fail(ErrorKind::Invalid, "has a negative deviation");
  if (deviation && count && *count >= 2) {
    estimate.method = "t interval of persona means";
    const double number = static_cast<double>(*count);
    ASSIGN_OR_RETURN(estimate,
                     stats::with_t_interval(std::move(estimate), *deviation * *deviation / number,
                                            number - 1, kBounds));
  }
  return estimate;
}

std::size_t place_of(const std::string& task) {
  const auto found = std::ranges::find(kPublishedTasks, task, &PublishedTask::name);
  return static_cast<std::size_t>(found - kPublishedTasks.begin());
}

Result<void> read_scores(const Json& row, LeaderboardEntry& entry) {
  const Json* overall = find_member(row, "persona_score");
  const Json* by_task = find_member(row, "scores");
  if (!overall || !by_task || !by_task->is_object())
    return fail(ErrorKind::Invalid, "{}: \"persona_score\" or \"scores\" is missing",
                printable(entry.model));
  const auto personas = find_integer(row, "personas");
  const auto read = [&](const Json& figure, const std::string& name) -> Result<stats::Estimate> {
    auto estimate = read_figure(figure, personas);
    if (!estimate)
      return fail(ErrorKind::Invalid, "{}: {} {}", printable(entry.model), printable(name),
                  estimate.error().message);
    return estimate;
  };
  ASSIGN_OR_RETURN(entry.persona_score, read(*overall, "PersonaScore"));
  for (const auto& [name, figure] : by_task->items()) {
    ASSIGN_OR_RETURN(stats::Estimate estimate, read(figure, name));
    entry.tasks.emplace_back(name, std::move(estimate));
  }
  std::ranges::stable_sort(entry.tasks, {}, [](const auto& task) { return place_of(task.first); });
  return {};
}

bool has_error(const stats::Estimate& estimate) {
  return estimate.standard_error && estimate.clusters >= kFewestPersonas;
}

// Whether the first is surely above the second, at two-sided level `alpha`.
bool is_surely_above(const stats::Estimate& first, const stats::Estimate& second, double alpha) {
  if (!has_error(first) || !has_error(second) || first.value <= second.value) return false;
  const double a = *first.standard_error * *first.standard_error;
  const double b = *second.standard_error * *second.standard_error;
  if (a + b == 0) return false;  // no spread at all: nothing is known about it
  const double df = (a + b) * (a + b) /
                    (a * a / static_cast<double>(first.clusters - 1) +
                     b * b / static_cast<double>(second.clusters - 1));
  return first.value - second.value > stats::t_quantile(1 - alpha / 2, df) * std::sqrt(a + b);
}

double percent_over(double value, double base) {
  return base == 0 ? 0 : 100 * (value / base - 1);
}

Result<double> find_base(const std::vector<LeaderboardEntry>& entries, const std::string& base) {
  std::vector<const LeaderboardEntry*> found;
  std::vector<std::string> known;
  for (const LeaderboardEntry& entry : entries) {
    known.push_back(entry.model);
    if (lower(entry.model) == lower(base)) found.push_back(&entry);
  }
  if (found.size() == 1) return found.front()->persona_score.value;
  if (found.empty())
    return fail(ErrorKind::Invalid, "there is no row for \"{}\"; there are: {}", printable(base),
                printable(join(known, ", ")));
  return fail(ErrorKind::Invalid, "there are {} rows for \"{}\"; name a base that has one row",
              found.size(), printable(base));
}

Json to_json(const stats::Estimate& estimate) {
  Json value{{"mean", estimate.value}, {"n", estimate.clusters}};
  value["ci95"] =
      estimate.interval ? Json{estimate.interval->low, estimate.interval->high} : Json();
  return value;
}

}  // namespace

Result<LeaderboardEntry> read_published_entry(const Json& row) {
  LeaderboardEntry entry{
      .model = find_text(row, "model").value_or(""), .persona_score = {}, .tasks = {}, .notes = {}};
  if (entry.model.empty()) return fail(ErrorKind::Invalid, "published scores without a \"model\"");
  RETURN_IF_ERROR(read_scores(row, entry));
  if (const Json* notes = find_member(row, "notes"); notes && notes->is_array())
    for (const Json& note : *notes)
      if (note.is_string()) entry.notes.push_back(note);
  return entry;
}

Result<Leaderboard> make_leaderboard(std::vector<LeaderboardEntry> entries,
                                     const std::optional<std::string>& base, double confidence) {
  if (entries.empty())
    return fail(ErrorKind::Invalid, "there is nothing to rank: no imported scores");
  RETURN_IF_ERROR(stats::check_confidence(confidence));
  std::optional<double> base_score;
  if (base) {
    ASSIGN_OR_RETURN(base_score, find_base(entries, *base));
  }
  std::ranges::stable_sort(entries, std::greater<>{},
                           [](const LeaderboardEntry& entry) { return entry.persona_score.value; });
  Leaderboard board{.rows = {}, .base = base, .confidence = confidence};
  const double count = static_cast<double>(entries.size());
  const double alpha = (1 - confidence) / std::max(1.0, count * (count - 1) / 2);
  for (const LeaderboardEntry& entry : entries) {
    const stats::Estimate& score = entry.persona_score;
    LeaderboardRow row;
    RankRange ranks{1, entries.size()};
    for (const LeaderboardEntry& other : entries) {
      if (other.persona_score.value > score.value) ++row.rank;
      if (is_surely_above(other.persona_score, score, alpha)) ++ranks.best;
      if (is_surely_above(score, other.persona_score, alpha)) --ranks.worst;
    }
    if (has_error(score))
      row.ranks = ranks;
    else
      ++board.unranked;
    row.percent_over_best = percent_over(score.value, entries.front().persona_score.value);
    if (base_score) row.percent_over_base = percent_over(score.value, *base_score);
    row.entry = entry;
    board.rows.push_back(std::move(row));
  }
  return board;
}

Json to_json(const Leaderboard& leaderboard) {
  Json rows = Json::array();
  for (const LeaderboardRow& row : leaderboard.rows) {
    Json tasks = Json::object();
    for (const auto& [name, estimate] : row.entry.tasks) tasks[name] = to_json(estimate);
    rows.push_back(
        {{"rank", row.rank},
         {"ranks", row.ranks ? Json{row.ranks->best, row.ranks->worst} : Json()},
         {"model", row.entry.model},
         {"persona_score", to_json(row.entry.persona_score)},
         {"tasks", std::move(tasks)},
         {"percent_over_best", row.percent_over_best},
         {"percent_over_base", row.percent_over_base ? Json(*row.percent_over_base) : Json()},
         {"notes", row.entry.notes}});
  }
  return {{"rows", std::move(rows)},
          {"base", leaderboard.base ? Json(*leaderboard.base) : Json()},
          {"confidence", leaderboard.confidence},
          {"unranked", leaderboard.unranked}};
}

}  // namespace personascope::eval::personagym
