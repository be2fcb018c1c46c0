#include <fmt/format.h>

#include <cmath>
#include <thread>

#include "app/tables.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/forest_plot.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
    R"(  personascope compare scores.csv --columns run_a,run_b --cluster persona --scale 1-5
  personascope compare a.csv b.csv c.jsonl --cluster persona --json
  personascope compare old.csv new.csv --fail-if-worse
  personascope compare 3 5                           # stored runs
  personascope compare 3 5 --score personalization   # of the lens: one of its dimensions)";

struct CompareFlags {
  CommonFlags common;
  app::CompareCommand command;
  bool lower_is_better = false;
  bool fail_if_worse = false;
};

std::string short_name(const std::string& name) {
  return printable(shorten(name, 40));
}

std::string render_heading(const app::Comparison& comparison) {
  std::string text = fmt::format("{}, {}", render_count(comparison.items, "item"),
                                 render_clusters(comparison.clusters, comparison.cluster_column));
  if (comparison.scale) {
    text += fmt::format("; scale {} to {}", comparison.scale->low, comparison.scale->high);
  }
  return text + "\n";
}

std::string render_means(const app::Comparison& comparison, Notes& notes) {
  using enum Align;
  Table table(
      {"run", "mean", interval_title(comparison.options.confidence), "n", "clusters", "missing"},
      {Left, Right, Left, Right, Right, Right});
  for (const app::RunMean& run : comparison.runs) {
    const std::string missing = render_count(static_cast<long long>(run.missing));
    if (!run.mean) {
      table.add({short_name(run.run), Cell("-"), Cell("-"), Cell("0"), Cell("0"), missing});
      notes.add_reason(run.run, run.mean.error());
      continue;
    }
    table.add({short_name(run.run), render_number(run.mean->value),
               render_interval(run.mean->interval),
               render_count(static_cast<long long>(run.mean->n)),
               render_count(static_cast<long long>(run.mean->clusters)), missing});
    notes.add_caveats(run.run, *run.mean);
    notes.add("means: " + run.mean->method);
  }
  return table.render();
}

Colour colour_of(app::ComparisonVerdict verdict) {
  if (verdict == app::ComparisonVerdict::Better) return Colour::Green;
  return verdict == app::ComparisonVerdict::Worse ? Colour::Red : Colour::None;
}

std::string render_differences(const app::Comparison& comparison, Notes& notes) {
  using enum Align;
  Table table({"run", "difference", interval_title(comparison.options.confidence), "n", "clusters",
               "p (t)", "p (flip)", "p (claim)", "detectable", "verdict"},
              {Left, Right, Left, Right, Right, Right, Right, Right, Right, Left});
  for (const app::RunDifference& row : comparison.differences) {
    const Cell verdict(std::string(name_of(row.verdict)), colour_of(row.verdict));
    if (!row.why.empty()) notes.add(row.run, printable(row.why));
    if (!row.comparison) {
      table.add({short_name(row.run), Cell("-"), Cell("-"), Cell("0"), Cell("0"), Cell("-"),
                 Cell("-"), Cell("-"), Cell("-"), verdict});
      continue;
    }
    const app::ScoreEstimate& difference = row.comparison->difference;
    const auto& detectable = row.comparison->minimum_detectable;
    table.add({short_name(row.run), render_signed(difference.value),
               render_signed_interval(difference.interval),
               render_count(static_cast<long long>(difference.n)),
               render_count(static_cast<long long>(difference.clusters)),
               render_p(row.comparison->p_value),
               render_p(row.sign_flip ? std::optional(row.sign_flip->p_value) : std::nullopt),
               render_p(row.claim_p_value), detectable ? render_number(*detectable) : "-",
               verdict});
    notes.add_caveats(row.run + " minus " + row.baseline, difference);
    notes.add("differences: " + difference.method);
    if (row.mcnemar) {
      notes.add(fmt::format("{}: exact McNemar p {}", printable(row.run),
                            render_p(row.mcnemar->p_value)));
    }
    if (row.missing > 0) {
      notes.add(fmt::format("{}: {} without a score in both runs, left out of the difference",
                            printable(row.run), render_count(row.missing, "item")));
    }
    if (row.verdict == app::ComparisonVerdict::NoDifferenceSeen && detectable) {
      notes.add(row.run, fmt::format("\"no difference seen\" does not mean equal: a true "
                                     "difference of the size in \"detectable\" would have been "
                                     "found with a probability of {:g} %, smaller ones less often",
                                     100 * comparison.options.power));
    }
  }
  table.may_drop({5, 6, 4, 3});
  return table.render();
}

std::string render_plot(const app::Comparison& comparison) {
  std::vector<ForestRow> rows;
  for (const app::RunDifference& row : comparison.differences) {
    if (!row.comparison) continue;
    const app::ScoreEstimate& difference = row.comparison->difference;
    ForestRow drawn{short_name(row.run), difference.value, {}};
    if (difference.interval) drawn.interval = {difference.interval->low, difference.interval->high};
    rows.push_back(std::move(drawn));
  }
  return render_forest(rows, columns(stdout));
}

void add_notes(const app::Comparison& comparison, Notes& notes) {
  for (const app::Unmatched& file : comparison.files) {
    if (file.unmatched == 0) continue;
    notes.add(fmt::format("{}: {} of {} left out because they are not in every file, such as {}",
                          printable(file.run), render_count(static_cast<long long>(file.unmatched)),
                          render_count(file.rows, "row"),
                          printable(shorten(join(file.examples, ", "), 120))));
  }
  for (const std::string& warning : comparison.warnings) notes.add(printable(warning));
}

void print_comparison(const app::Comparison& comparison) {
  Notes notes;
  std::string text = render_heading(comparison) + "\n" + render_means(comparison, notes);
  const app::RunDifference& first = comparison.differences.front();
  text += fmt::format("\ndifferences to {}, paired by item\n", short_name(first.baseline));
  text += render_differences(comparison, notes) + "\n" + render_plot(comparison);
  for (const app::RunDifference& row : comparison.differences)
    if (!row.claim_method.empty())
      notes.add(fmt::format("verdicts: {}, at a level of {:g}", row.claim_method,
                            comparison.options.alpha));
  add_notes(comparison, notes);
  fmt::print("{}{}", text, notes.render());
}

int compare(CompareFlags& flags) {
  if (flags.lower_is_better) flags.command.options.better = app::Better::Lower;
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto comparison = app::compare(**context, flags.command);
  const int code = show(comparison, flags.common, print_comparison);
  if (!comparison || !flags.fail_if_worse) return code;
  for (const app::RunDifference& row : comparison->differences) {
    if (row.comparison) continue;
    say("personascope: {} cannot be compared: {}\n", short_name(row.run),
        row.comparison.error().message);
    return kWrongUse;
  }
  if (!app::has_worse(*comparison)) return code;
  for (const app::RunDifference& row : comparison->differences)
    if (row.verdict == app::ComparisonVerdict::Worse && !flags.common.quiet)
      say("personascope: {} is worse than {}\n", short_name(row.run), short_name(row.baseline));
  return kThresholdMissed;
}

}  // namespace

void add_compare(CLI::App& program) {
  const auto flags = std::make_shared<CompareFlags>();
  app::CompareCommand& wanted = flags->command;
  CLI::App* command = add_command(program, "compare",
                                  "Compare runs on the same items, stored or from files of scores",
                                  kExamples, [flags] { return compare(*flags); });
  command
      ->add_option("RUN|FILE", wanted.files,
                   "runs by their numbers (see `personascope runs`), the baseline first; or CSV or "
                   "JSONL files: one for each run, or one with a column for each")
      ->required();
  command
      ->add_option("--columns", wanted.columns,
                   "columns of a single file, one per run, the baseline first")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  command->add_option("--id", wanted.id, "column of ids (default: id, else the first)");
  command->add_option("--score", wanted.score,
                      "column of scores in each of several files (default score)");
  add_table_flags(*command, wanted.cluster, wanted.scale);
  add_resampling_flags(*command, wanted.options.confidence, wanted.options.seed,
                       wanted.options.threads);
  command
      ->add_option("--alpha", wanted.options.alpha,
                   "a difference is claimed below this p-value (default 0.05)")
      ->check(make_open_range(app::kSmallestAlpha, 1));
  command->add_flag("--lower-is-better", flags->lower_is_better,
                    "lower scores are better, as for errors or costs");
  command->add_flag("--fail-if-worse", flags->fail_if_worse,
                    "exit with 100 if a run is worse than the first");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
