#include <fmt/format.h>

#include <cmath>
#include <map>
#include <thread>

#include "app/compare.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/compare_view.hpp"
#include "cli/estimate_text.hpp"
#include "cli/forest_plot.hpp"
#include "cli/gate_flags.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kCompareExamples =
    R"(  personascope compare scores.csv --columns run_a,run_b --cluster persona --scale 1-5
  personascope compare a.csv b.csv c.jsonl --cluster persona --json
  personascope compare 3 5                           # stored runs
  personascope compare 3 5 --worse 10                # the ten items that got worse the most
  personascope compare baseline.jsonl 5 --fail-unless-not-worse-by 0.2 --max-refused 0.02
  personascope compare 3 5 --score personalization   # of the lens: one of its dimensions)";

struct CompareFlags {
  CommonFlags common;
  app::CompareRequest command;
  bool lower_is_better = false;
  std::string unscored;
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

// What the mean is of, where the clusters' sizes decide that.
void add_size_note(const app::ScoreEstimate& mean, Notes& notes) {
  constexpr double kNearlyEqual = 0.9;
  if (!mean.effective_clusters) return;
  if (*mean.effective_clusters > kNearlyEqual * static_cast<double>(mean.clusters)) return;
  notes.add(
      fmt::format("every row counts the same, so {} of different sizes count as {:.1f} of equal "
                  "size; with --weight persona every cluster counts the same",
                  render_count(mean.clusters, "cluster"), *mean.effective_clusters));
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
    add_size_note(*run.mean, notes);
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

// Of which score the means are, where items without one count.
void add_unscored_note(const app::ComparedRuns& compared, Notes& notes) {
  if (compared.filled > 0)
    notes.add(
        fmt::format("{} refused, empty or not assessed: counted as the worst score "
                    "(--unscored worst)",
                    render_count(compared.filled, "item")));
  else if (compared.unscored == app::Unscored::Drop && !compared.outcomes.empty())
    notes.add(
        "items without a score are left out of the means (--unscored drop); --unscored worst "
        "counts refused, empty and abstained ones as the worst score");
}

void print_comparison(const app::ComparedRuns& compared) {
  const app::Comparison& comparison = compared.scores;
  Notes notes;
  add_unscored_note(compared, notes);
  std::string text = render_settings(compared) + render_heading(comparison) + "\n" +
                     render_means(comparison, notes);
  const app::RunDifference& first = comparison.differences.front();
  text += fmt::format("\ndifferences to {}, paired by item\n", short_name(first.baseline));
  text += render_differences(comparison, notes) + "\n" + render_plot(comparison);
  text += render_corrected(compared, notes);
  text += render_margins(compared) + render_outcomes(compared, notes);
  for (const app::RunDifference& row : comparison.differences)
    if (!row.claim_method.empty())
      notes.add(fmt::format("verdicts: {}, at a level of {:g}", row.claim_method,
                            comparison.options.alpha));
  add_notes(comparison, notes);
  fmt::print("{}{}", text, notes.render());
  if (!compared.items.empty()) fmt::print("{}", render_item_changes(compared.items));
}

int compare(CompareFlags& flags) {
  app::CompareRequest& command = flags.command;
  if (flags.lower_is_better) command.options.better = app::Better::Lower;
  if (!flags.unscored.empty())
    command.unscored = flags.unscored == "worst" ? app::Unscored::Worst : app::Unscored::Drop;
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto compared = app::compare_runs(**context, command);
  const int code = show(compared, flags.common, print_comparison);
  if (!compared || !command.gates.any()) return code;
  return print_gates(compared->gates, flags.common);
}

void add_view_flags(CLI::App& command, CompareFlags& flags) {
  command.add_flag("--anyway", flags.command.anyway,
                   "compare even if items with the same id were asked different questions");
  add_unscored_flag(command, flags.unscored, "default worst with a gate on scores, else drop");
  command
      .add_option("--margin", flags.command.margin,
                  "say whether runs are equivalent within this difference")
      ->check(make_open_range(0, 1e100))
      ->type_name("MARGIN");
  command.add_flag("--items", flags.command.items, "list the items of two runs by their change");
  command.add_option("--worse", flags.command.worse, "list the N items that got worse the most")
      ->type_name("N");
  command
      .add_option("-o,--output", flags.command.output,
                  "write the listed items to a file (.jsonl, .json, .csv, .md, .tex)")
      ->type_name("FILE");
}

void add_gate_flags(CLI::App& command, CompareFlags& flags) {
  app::CompareGates& gates = flags.command.gates;
  command
      .add_flag("--fail-if-worse", gates.fail_if_worse,
                "exit with 100 if a run is worse than the first")
      ->group("Gates");
  command
      .add_option("--fail-unless-not-worse-by", gates.not_worse_by,
                  "exit with 100 unless every run is shown to be not worse by MARGIN or more")
      ->check(make_open_range(0, 1e100))
      ->type_name("MARGIN")
      ->group("Gates");
  add_share_flags(command, gates.max_refused, gates.max_failed, flags.command.junit);
}

}  // namespace

void add_compare(CLI::App& program) {
  const auto flags = std::make_shared<CompareFlags>();
  app::CompareRequest& wanted = flags->command;
  CLI::App* command = add_command(program, "compare",
                                  "Compare runs on the same items, stored or from files of scores",
                                  kCompareExamples, [flags] { return compare(*flags); });
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
  command
      ->add_option("--human", wanted.human,
                   "human labels, one per run: columns of a single file, or files of labels by id; "
                   "they correct the differences")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  add_table_flags(*command, wanted.cluster, wanted.scale);
  add_resampling_flags(*command, wanted.options.confidence, wanted.options.seed,
                       wanted.options.threads);
  command
      ->add_option("--alpha", wanted.options.alpha,
                   "a difference is claimed below this p-value (default 0.05)")
      ->check(make_open_range(app::kSmallestAlpha, 1));
  command
      ->add_option("--weight", wanted.options.weight,
                   "what counts the same in means: every row, or every persona (default row)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, app::Weight>{
          {"row", app::Weight::Row}, {"persona", app::Weight::Cluster}}))
      ->type_name("row|persona");
  command->add_flag("--lower-is-better", flags->lower_is_better,
                    "lower scores are better, as for errors or costs");
  add_view_flags(*command, *flags);
  add_gate_flags(*command, *flags);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
