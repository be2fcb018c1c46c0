#include "eval/personagym/leaderboard.hpp"

#include <algorithm>
#include <cmath>
#include <set>

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
  // What the run itself worked out goes first.
  if (const Json* interval = find_member(figure, "ci95"); interval) {
    if (!interval->is_array() || interval->size() != 2 || !interval->at(0).is_number() ||
        !interval->at(1).is_number())
      return fail(ErrorKind::Invalid, "has a \"ci95\" that is not a pair of numbers");
    estimate.interval = stats::Interval{interval->at(0), interval->at(1)};
  }
  return estimate;
}

std::size_t place_of(const std::string& task) {
  const auto found = std::ranges::find(kPublishedTasks, task, &PublishedTask::name);
  return static_cast<std::size_t>(found - kPublishedTasks.begin());
}

// `count` is the member of a figure that says what it rests on; `common` is used where it is
// missing.
Result<void> read_scores(const Json& row, const char* tasks, std::optional<std::int64_t> common,
                         LeaderboardEntry& entry) {
  const Json* overall = find_member(row, "persona_score");
  const Json* by_task = find_member(row, tasks);
  if (!overall || !by_task || !by_task->is_object())
    return fail(ErrorKind::Invalid, "{}: \"persona_score\" or \"{}\" is missing",
                printable(entry.model), tasks);
  const auto read = [&](const Json& figure, const char* count,
                        const std::string& name) -> Result<stats::Estimate> {
    const auto own = find_integer(figure, count);
    auto estimate = read_figure(figure, own ? own : common);
    if (!estimate)
      return fail(ErrorKind::Invalid, "{}: {} {}", printable(entry.model), printable(name),
                  estimate.error().message);
    return estimate;
  };
  ASSIGN_OR_RETURN(entry.persona_score, read(*overall, "clusters", "PersonaScore"));
  for (const auto& [name, figure] : by_task->items()) {
    ASSIGN_OR_RETURN(stats::Estimate estimate, read(figure, "n", name));
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
  if (a + b == 0) return true;
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

// The members of a list as one text: what it says, or what each of its objects says of `member`.
std::string render_list(const Json& results, const char* name, const char* member) {
  std::vector<std::string> texts;
  if (const Json* list = find_member(results, name); list && list->is_array())
    for (const Json& one : *list)
      texts.push_back(one.is_string() ? one.get<std::string>()
                                      : find_text(one, member).value_or(""));
  std::ranges::sort(texts);
  return join(texts, "\n");
}

std::vector<std::string> find_differences(const std::vector<LeaderboardEntry>& entries) {
  std::map<std::string, std::set<std::string>> values;
  for (const LeaderboardEntry& entry : entries) {
    values["protocol"].insert(entry.protocol);
    for (const auto& [name, value] : entry.basis) values[name].insert(value);
  }
  std::vector<std::string> names;
  for (const auto& [name, different] : values)
    if (different.size() > 1) names.push_back(name);
  return names;
}

std::vector<std::string> find_obstacles(const std::vector<LeaderboardEntry>& entries,
                                        const std::vector<std::string>& differs) {
  std::vector<std::string> notes;
  if (!differs.empty())
    notes.push_back(
        fmt::format("rows differ in {}, so their differences are not only due to the models "
                    "(`personascope card gym` shows what a run used)",
                    join(differs, ", ")));
  if (!std::ranges::all_of(entries, [](const auto& row) { return has_error(row.persona_score); }))
    notes.push_back(
        "models with fewer than 5 personas, or without a standard deviation, are listed but not "
        "ranked");
  return notes;
}

Json to_json(const stats::Estimate& estimate) {
  Json value{{"mean", estimate.value}, {"n", estimate.clusters}};
  value["ci95"] =
      estimate.interval ? Json{estimate.interval->low, estimate.interval->high} : Json();
  return value;
}

}  // namespace

Result<LeaderboardEntry> read_published_entry(const Json& row) {
  LeaderboardEntry entry{.model = find_text(row, "model").value_or(""),
                         .source = "published",
                         .protocol = "reference",
                         .persona_score = {},
                         .tasks = {},
                         .notes = {}};
  if (entry.model.empty()) return fail(ErrorKind::Invalid, "published scores without a \"model\"");
  RETURN_IF_ERROR(read_scores(row, "scores", find_integer(row, "personas"), entry));
  if (const Json* notes = find_member(row, "notes"); notes && notes->is_array())
    for (const Json& note : *notes)
      if (note.is_string()) entry.notes.push_back(note);
  return entry;
}

Result<LeaderboardEntry> read_run_entry(const Json& results) {
  LeaderboardEntry entry{.model = find_text(results, "model").value_or(""),
                         .source = "",
                         .protocol = find_text(results, "protocol").value_or(""),
                         .persona_score = {},
                         .tasks = {},
                         .notes = {}};
  const auto run = find_integer(results, "run");
  if (entry.model.empty() || !run)
    return fail(ErrorKind::Invalid, "results without a \"model\" or a \"run\"");
  entry.source = fmt::format("run {}", *run);
  RETURN_IF_ERROR(read_scores(results, "tasks", std::nullopt, entry));
  entry.basis["personas"] = render_list(results, "personas", "persona");
  entry.basis["judges"] = render_list(results, "judges", "judge");
  entry.basis["tasks"] = render_list(results, "task_order", "task");
  if (const auto count = find_integer(results, "questions_per_task"))
    entry.basis["questions per task"] = std::to_string(*count);
  return entry;
}

Result<Leaderboard> make_leaderboard(std::vector<LeaderboardEntry> entries,
                                     const std::optional<std::string>& base, double confidence) {
  if (entries.empty())
    return fail(ErrorKind::Invalid,
                "there is nothing to rank: no run of the gym and no imported scores");
  RETURN_IF_ERROR(stats::check_confidence(confidence));
  std::optional<double> base_score;
  if (base) {
    ASSIGN_OR_RETURN(base_score, find_base(entries, *base));
  }
  std::ranges::stable_sort(entries, std::greater<>{},
                           [](const LeaderboardEntry& entry) { return entry.persona_score.value; });
  Leaderboard board{.rows = {},
                    .base = base,
                    .confidence = confidence,
                    .differs = find_differences(entries),
                    .notes = {}};
  board.notes = find_obstacles(entries, board.differs);
  const double comparisons = std::max(1.0, static_cast<double>(entries.size()) - 1);
  const double alpha = (1 - confidence) / comparisons;
  for (const LeaderboardEntry& entry : entries) {
    const stats::Estimate& score = entry.persona_score;
    LeaderboardRow row;
    RankRange ranks{1, entries.size()};
    for (const LeaderboardEntry& other : entries) {
      if (other.persona_score.value > score.value) ++row.rank;
      if (is_surely_above(other.persona_score, score, alpha)) ++ranks.best;
      if (is_surely_above(score, other.persona_score, alpha)) --ranks.worst;
    }
    if (has_error(score)) row.ranks = ranks;
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
         {"source", row.entry.source},
         {"protocol", row.entry.protocol},
         {"persona_score", to_json(row.entry.persona_score)},
         {"tasks", std::move(tasks)},
         {"percent_over_best", row.percent_over_best},
         {"percent_over_base", row.percent_over_base ? Json(*row.percent_over_base) : Json()},
         {"notes", row.entry.notes}});
  }
  return {{"rows", std::move(rows)},
          {"base", leaderboard.base ? Json(*leaderboard.base) : Json()},
          {"confidence", leaderboard.confidence},
          {"differs", leaderboard.differs},
          {"notes", leaderboard.notes}};
}

}  // namespace personascope::eval::personagym
