#include "report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "core/measure_text.hpp"
#include "report/document/findings_tables.hpp"
#include "report/document/transcript.hpp"
#include "report/item_export.hpp"
#include "report/run_charts.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kLongestSetting = 200;  // a member of a plan that is longer is no setting

constexpr const char* kMethod[] = {
    "Every number is computed from the stored items of the run. A mean is over items with a score; "
    "items that were refused, that the judges could not assess, that are empty or that failed are "
    "in no mean, and the chart of outcomes shows how many they are. Bounds are the mean if all "
    "items without a score had the lowest or the highest score of the scale.",
    "Intervals are 95 % confidence intervals. Items that belong to the same persona or user are "
    "not independent, so that intervals are computed over these groups where there are any. With "
    "too few of them there is no interval, and the table says so. Adjusted p values account for "
    "the number of comparisons in their table."};

class ReportMaker {
 public:
  ReportMaker(store::Reader& reader, const ReportOptions& options)
      : reader_(reader), options_(options) {}

  Result<RunReport> make() {
    std::vector<store::RunRecord> runs;
    for (const std::int64_t id : options_.runs) {
      ASSIGN_OR_RETURN(store::RunRecord run, reader_.load_run(id));
      runs.push_back(std::move(run));
    }
    report_.title = runs.size() == 1 ? title_of_run(runs.front())
                                     : fmt::format("Report of {} runs", runs.size());
    add(HeadingBlock{1, report_.title});
    if (runs.size() > 1) add_overview(runs);
    for (const store::RunRecord& run : runs) RETURN_IF_ERROR(add_run(run, runs.size() > 1));
    add(HeadingBlock{2, "Method"});
    for (const char* paragraph : kMethod) add(ParagraphBlock{paragraph});
    add(ParagraphBlock{fmt::format(
        "Written by Personascope {}. All calls are stored: the numbers can be computed again "
        "without sending any.",
        options_.version)});
    return std::move(report_);
  }

 private:
  void add(Block block) { report_.blocks.push_back(std::move(block)); }

  static std::string title_of_run(const store::RunRecord& run) {
    return fmt::format("Run {}: {}{}", run.id, run.command,
                       run.model.empty() ? "" : " of " + run.model);
  }

  // A run that is not done has no headline yet.
  std::string describe_headline(const store::RunRecord& run) const {
    const core::Findings findings = options_.describe(run.results);
    return findings.headline
               ? fmt::format("{}: {}", findings.headline->name, describe_metric(*findings.headline))
               : "no result yet";
  }

  void add_overview(const std::vector<store::RunRecord>& runs) {
    TableBlock table{"", {"run", "evaluation", "model", "result", "outcomes"}, {true}, {}, ""};
    for (const store::RunRecord& run : runs)
      table.rows.push_back({std::to_string(run.id), run.command, run.model, describe_headline(run),
                            describe_counts(run.outcomes)});
    add(std::move(table));
  }

  Result<void> add_run(const store::RunRecord& run, bool is_one_of_several) {
    core::Findings findings = options_.describe(run.results);
    if (options_.texts == Texts::LeaveOut) redact(findings);
    if (is_one_of_several) add(HeadingBlock{2, title_of_run(run)});
    if (findings.headline)
      add(ParagraphBlock{fmt::format("{}: {}, from {} scored item{}.", findings.headline->name,
                                     describe_metric(*findings.headline),
                                     core::render_count(findings.headline->n),
                                     findings.headline->n == 1 ? "" : "s")});
    if (run.state != store::RunState::Done)
      add(ParagraphBlock{fmt::format(
          "This run is not done ({}): {} of {} items have an outcome.", store::name_of(run.state),
          core::render_count(run.outcomes.total()), core::render_count(run.items))});
    ASSIGN_OR_RETURN(const auto items, load_all_items(reader_, run.id));
    for (RunChart& chart : make_charts(run, findings, items)) {
      add(ChartBlock{std::move(chart.chart)});
      if (chart.kind == "outcomes" && !findings.notes.empty()) {
        add(HeadingBlock{3, "Notes"});
        add(NotesBlock{findings.notes});
      }
    }
    add(HeadingBlock{3, "Tables"});
    add_outcome_table(run);
    for (const core::Part& part : findings.parts) add(tabulate(part));
    add_making(run, findings);
    return add_transcripts(run);
  }

  // Texts of personas stand in tables of findings; numbers take their place.
  static void redact(core::Findings& findings) {
    for (core::Part& part : findings.parts) {
      auto* table = std::get_if<core::Table>(&part);
      if (!table) continue;
      for (std::size_t column = 0; column < table->columns.size(); ++column)
        if (table->columns[column].name == "persona")
          for (std::size_t row = 0; row < table->rows.size(); ++row)
            table->rows[row][column].text = fmt::format("persona {}", row + 1);
    }
  }

  void add_outcome_table(const store::RunRecord& run) {
    TableBlock table{"Outcomes", {"outcome", "items", "share"}, {false, true, true}, {}, ""};
    const std::int64_t total = run.outcomes.total();
    for (const core::Outcome outcome : core::kOutcomes)
      if (run.outcomes[outcome] > 0)
        table.rows.push_back({std::string(core::name_of(outcome)),
                              core::render_count(run.outcomes[outcome]),
                              core::render_value(static_cast<double>(run.outcomes[outcome]) /
                                                     static_cast<double>(total),
                                                 core::kShareUnit, false)});
    add(std::move(table));
  }

  void add_making(const store::RunRecord& run, const core::Findings& findings) {
    add(HeadingBlock{3, "How it was made"});
    FactsBlock block;
    const auto add_fact = [&](std::string name, std::string text) {
      if (!text.empty()) block.facts.emplace_back(std::move(name), std::move(text));
    };
    add_fact("run", fmt::format("{} ({})", run.id, run.uid));
    add_fact("evaluation", run.command);
    add_fact("state", std::string(store::name_of(run.state)));
    if (options_.texts == Texts::Keep) add_fact("reason", run.note);
    add_fact("started", run.started_at);
    add_fact("finished", run.finished_at);
    for (const core::Fact& fact : findings.facts) add_fact(fact.name, fact.text);
    add_fact("calls sent", core::render_count(run.spending.calls));
    add_fact("tokens", fmt::format("{} in, {} out", core::render_count(run.spending.input_tokens),
                                   core::render_count(run.spending.output_tokens)));
    add_fact("cost", describe_cost(run.spending));
    add_fact("tags", join(run.tags, ", "));
    add_fact("plan", "sha256 " + render_hex(sha256(render_json(run.plan))));
    if (options_.texts == Texts::Keep) add_settings(block, run.plan);
    add(std::move(block));
  }

  static std::string describe_cost(const store::Spending& spending) {
    std::string text = fmt::format("${:.4f}", spending.cost_usd);
    if (spending.unpriced_calls > 0)
      text += fmt::format(", without {} calls of unknown price",
                          core::render_count(spending.unpriced_calls));
    return text;
  }

  // The plan's own words and numbers; what is nested or long is material.
  static void add_settings(FactsBlock& block, const Json& plan) {
    if (!plan.is_object()) return;
    for (const auto& [name, value] : plan.items()) {
      if (value.is_null() || value.is_structured()) continue;
      std::string text = value.is_string() ? value.get<std::string>() : render_json(value);
      if (!text.empty() && text.size() <= kLongestSetting)
        block.facts.emplace_back("plan: " + name, std::move(text));
    }
  }

  Result<void> add_transcripts(const store::RunRecord& run) {
    if (options_.transcripts <= 0 || options_.texts == Texts::LeaveOut) return {};
    add(HeadingBlock{3, options_.order == store::ItemOrder::WorstFirst
                            ? "Items with the lowest scores"
                            : "Items"});
    store::ItemFilter filter;
    filter.order = options_.order;
    filter.limit = options_.transcripts;
    return visit_items(reader_, run.id, filter,
                       [&](const store::ItemDetails& details) -> Result<void> {
                         add(make_transcript(run.id, details.item));
                         return {};
                       });
  }

  store::Reader& reader_;
  const ReportOptions& options_;
  RunReport report_;
};

}  // namespace

Result<RunReport> make_report(store::Reader& reader, const ReportOptions& options) {
  return ReportMaker(reader, options).make();
}

}  // namespace personascope::report
