#include "app/gates.hpp"

#include <algorithm>
#include <map>

#include "app/paths.hpp"
#include "base/text.hpp"
#include "eval/personalens/dimension.hpp"
#include "files/text_file.hpp"
#include "llm/call.hpp"
#include "report/item_export.hpp"
#include "report/run_items.hpp"
#include "report/run_scores.hpp"
#include "stats/score_mean.hpp"

namespace personascope::app {
namespace {

// Nothing where it is known only after the run: tasks of the user's own.
std::optional<stats::Scale> find_scale(std::string_view command, const Json& given,
                                       const std::optional<std::string>& score) {
  if (command.starts_with("gym")) {
    if (given.contains("task_files")) return std::nullopt;
    return stats::Scale{1, 5};
  }
  if (command.starts_with("bench")) return stats::kUnitScale;
  if (!command.starts_with("lens") || (!score && given.contains("dimensions"))) return std::nullopt;
  for (const eval::personalens::Dimension& dimension : eval::personalens::list_dimensions())
    if (dimension.key() == score.value_or("task_completion"))
      return stats::Scale{static_cast<double>(dimension.low), static_cast<double>(dimension.high)};
  return std::nullopt;
}

// The gym's rows are personas: the mean over tasks of the mean over questions. Otherwise items.
struct Rows {
  std::vector<double> scores;
  std::vector<std::size_t> clusters;
};

Rows make_rows(const report::RunItems& items, const report::ScoreTable& table) {
  Rows rows;
  const auto& cells = table.columns.front().cells;
  if (items.run->command != "gym") {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i]) continue;
      rows.scores.push_back(*cells[i]);
      rows.clusters.push_back(table.clusters[i]);
    }
    return rows;
  }
  std::map<std::string, std::map<std::string, std::pair<double, double>>> sums;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i]) continue;
    auto& [sum, count] = sums[items.items[i].cluster][items.items[i].label];
    sum += *cells[i];
    ++count;
  }
  for (const auto& [persona, tasks] : sums) {
    double sum = 0;
    for (const auto& [task, parts] : tasks) sum += parts.first / parts.second;
    rows.clusters.push_back(rows.scores.size());
    rows.scores.push_back(sum / static_cast<double>(tasks.size()));
  }
  return rows;
}

report::GateCheck make_undecided(std::string name, std::string sentence) {
  return {std::move(name), report::GateEnd::Undecided, std::move(sentence)};
}

report::GateCheck check_score(const Result<stats::Estimate>& mean, double limit,
                              const std::string& how) {
  if (!mean)
    return make_undecided("score", fmt::format("nothing was scored, so no score can be compared "
                                               "with {:g}: {}",
                                               limit, mean.error().message));
  return {"score", mean->value < limit ? report::GateEnd::Missed : report::GateEnd::Passed,
          fmt::format("the score {:.4g} ({}) is {} {:g}", mean->value, how,
                      mean->value < limit ? "below" : "not below", limit)};
}

report::GateCheck check_lower_end(const Result<stats::Estimate>& mean, double limit,
                                  const std::string& how) {
  if (!mean || !mean->interval)
    return make_undecided(
        "lower end",
        fmt::format("there is no 95 % interval to compare with {:g}: {}", limit,
                    mean ? "it needs at least 5 personas or users" : mean.error().message));
  const double low = mean->interval->low;
  return {"lower end", low < limit ? report::GateEnd::Missed : report::GateEnd::Passed,
          fmt::format("the lower end {:.4g} of the score's 95 % interval ({}) is {} {:g}", low, how,
                      low < limit ? "below" : "not below", limit)};
}

void add_scores(const RunGates& gates, const report::RunItems& items, report::ItemTable table,
                const std::optional<stats::Scale>& scale, std::vector<report::GateCheck>& checks) {
  std::size_t filled = 0;
  if (gates.unscored == report::Unscored::Worst && scale)
    filled = fill_unscored(table.scores, {table.outcomes}, scale->low);
  const Rows rows = make_rows(items, table.scores);
  const auto mean =
      stats::score_mean(rows.scores, rows.clusters, {.scale = scale.value_or(stats::Scale{})});
  const std::string how =
      gates.unscored == report::Unscored::Drop
          ? "items without a score left out"
          : fmt::format("{} refused, empty or not assessed, counted as the worst score", filled);
  if (gates.fail_under) checks.push_back(check_score(mean, *gates.fail_under, how));
  if (gates.fail_under_lower) checks.push_back(check_lower_end(mean, *gates.fail_under_lower, how));
}

Result<std::vector<report::GateCheck>> list_checks(Context& context, const RunGates& gates,
                                                   const run::RunSummary& summary) {
  std::vector<report::GateCheck> checks;
  if (summary.stopped) {
    checks.push_back(make_undecided("run", "the run did not end: " + summary.stopped->message));
    return checks;
  }
  ASSIGN_OR_RETURN(const auto cached, describe_cached(context, summary));
  if (cached)
    checks.push_back({"answers asked for",
                      gates.allow_cached ? report::GateEnd::Passed : report::GateEnd::Missed,
                      *cached});
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  const auto items = report::load_run_items(store->reader(), summary.run.id);
  if (!items) {
    checks.push_back(make_undecided("run", "nothing was evaluated: " + items.error().message));
    return checks;
  }
  ASSIGN_OR_RETURN(const report::ItemTable table, report::make_item_table(*items, gates.score));
  const auto& outcomes = table.outcomes;
  const auto count = [&](core::Outcome outcome) { return std::ranges::count(outcomes, outcome); };
  const auto total = static_cast<std::int64_t>(outcomes.size());
  const std::int64_t failed = count(core::Outcome::Failed);
  if (failed > 0 || gates.max_failed)
    checks.push_back(report::check_share("", core::Outcome::Failed, failed, total,
                                         gates.max_failed.value_or(0)));
  if (gates.max_refused)
    checks.push_back(report::check_share("", core::Outcome::Refused, count(core::Outcome::Refused),
                                         total, *gates.max_refused));
  const auto score = gates.score ? gates.score : report::find_main_score(*items);
  ASSIGN_OR_RETURN(const auto scale,
                   report::load_run_scale(store->reader(), summary.run.id, score));
  if (gates.fail_under || gates.fail_under_lower) add_scores(gates, *items, table, scale, checks);
  return checks;
}

}  // namespace

Result<void> check_limits(const RunGates& gates, std::string_view command, const Json& given) {
  if (gates.junit && !gates.any())
    return fail(ErrorKind::Invalid, "a JUnit file is for gates, and there is none: add a limit");
  const auto scale = find_scale(command, given, gates.score);
  if (!scale) return {};
  for (const auto& limit : {gates.fail_under, gates.fail_under_lower})
    if (limit && (*limit < scale->low || *limit > scale->high))
      return fail(ErrorKind::Invalid,
                  "the limit {:g} is not on the scale of the score, {:g} to {:g}", *limit,
                  scale->low, scale->high);
  return {};
}

Result<std::optional<std::string>> describe_cached(Context& context,
                                                   const run::RunSummary& summary) {
  const bool is_meant = summary.engine.replay.value_or(false) ||
                        find_integer(summary.run.plan, "rescores").has_value();
  if (is_meant || summary.stopped || summary.progress.meter.from_journal == 0)
    return std::optional<std::string>{};
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  std::int64_t sent = 0, reused = 0;
  RETURN_IF_ERROR(report::visit_items(store->reader(), summary.run.id, {},
                                      [&](const store::ItemDetails& details) -> Result<void> {
                                        for (const store::ItemCall& call : details.calls)
                                          if (call.role == llm::kModelRole)
                                            ++(call.is_paid_here ? sent : reused);
                                        return {};
                                      }));
  if (sent > 0 || reused == 0) return std::optional<std::string>{};
  return std::optional(
      fmt::format("nothing was sent to {}: all its {} answers are from earlier runs; "
                  "`fresh_answers` asks it again, `deployment` keeps deployments apart, "
                  "`allow_cached` accepts the old answers in a gate",
                  printable(summary.run.model), reused));
}

Result<std::vector<report::GateCheck>> check_run(Context& context, const RunGates& gates,
                                                 const run::RunSummary& summary) {
  ASSIGN_OR_RETURN(auto checks, list_checks(context, gates, summary));
  if (gates.junit)
    RETURN_IF_ERROR(
        save_junit(*gates.junit, fmt::format("personascope {}", summary.run.command), checks));
  return checks;
}

Result<void> save_junit(const std::string& path, const std::string& suite,
                        const std::vector<report::GateCheck>& checks) {
  ASSIGN_OR_RETURN(files::NewFile file, files::NewFile::create(make_absolute(path)));
  RETURN_IF_ERROR(file.write(report::render_junit(suite, checks)));
  return file.commit();
}

}  // namespace personascope::app
