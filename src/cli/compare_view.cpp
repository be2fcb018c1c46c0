#include "cli/compare_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kLongestAnswer = 400;

std::string name_run(const std::string& name) {
  return printable(shorten(name, 40));
}

std::string render_percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string render_points(double share) {
  return fmt::format("{:+.1f} %", 100 * share);
}

std::string render_score(const app::ItemSide& side) {
  return side.score ? fmt::format("{:g}", *side.score) : std::string(core::name_of(side.outcome));
}

std::string render_text(std::string_view title, std::string_view text) {
  return fmt::format("  {}: {}\n", title, printable(shorten(text, kLongestAnswer)));
}

}  // namespace

std::string render_settings(const app::ComparedRuns& compared) {
  if (!compared.settings) return "";
  const app::Comparability& settings = *compared.settings;
  std::string text;
  if (settings.changed_items > 0)
    text += paint(stdout, Colour::Red,
                  fmt::format("{} asked another question or persona under the same id, such as {}",
                              render_count(settings.changed_items, "item"),
                              printable(shorten(join(settings.examples, ", "), 120)))) +
            "\n";
  if (!settings.settings.empty()) {
    std::vector<std::string> headings{"what differs"};
    for (const std::string& name : settings.names) headings.push_back(name_run(name));
    Table table(headings);
    for (const auto& difference : settings.settings) {
      std::vector<Cell> cells{Cell(difference.setting, Colour::Yellow)};
      for (const auto& value : difference.values)
        cells.emplace_back(value ? printable(shorten(*value, 60)) : "not known");
      table.add(std::move(cells));
    }
    text += table.render();
  }
  return text.empty() ? text : text + "\n";
}

std::string render_outcomes(const app::ComparedRuns& compared, Notes& notes) {
  if (compared.outcomes.empty()) return "";
  using enum Align;
  Table table({"outcome", "run", "items", "share", "95 % interval", "change", "p"},
              {Left, Left, Right, Right, Left, Right, Right});
  for (const app::OutcomeComparison& outcome : compared.outcomes) {
    for (std::size_t i = 0; i < outcome.rates.runs.size(); ++i) {
      const auto& run = outcome.rates.runs[i];
      if (!run.mean) continue;
      const auto& interval = run.mean->interval;
      std::vector<Cell> cells{std::string(core::name_of(outcome.outcome)), name_run(run.run),
                              render_count(static_cast<long long>(
                                  run.mean->value * static_cast<double>(run.mean->n) + 0.5)),
                              render_percent(run.mean->value),
                              interval ? fmt::format("{} to {}", render_percent(interval->low),
                                                     render_percent(interval->high))
                                       : "-"};
      if (i == 0) {
        cells.emplace_back("");
        cells.emplace_back("");
      } else {
        const auto& difference = outcome.rates.differences[i - 1];
        cells.emplace_back(
            difference.comparison ? render_points(difference.comparison->difference.value) : "-");
        cells.emplace_back(render_p(difference.mcnemar ? std::optional(difference.mcnemar->p_value)
                                                       : difference.claim_p_value));
      }
      table.add(std::move(cells));
    }
  }
  std::string bounds;
  for (const auto& own : compared.bounds)
    bounds += fmt::format("{}{} {:.3f} to {:.3f}", bounds.empty() ? "" : "; ", name_run(own.run),
                          own.low, own.high);
  if (!bounds.empty())
    notes.add("means if every item without a score had the worst score, and the best: " + bounds);
  return "\nitems without a score\n" + table.render();
}

std::string render_corrected(const app::ComparedRuns& compared, Notes& notes) {
  if (compared.corrected.empty()) return "";
  using enum Align;
  Table table({"run", "corrected", interval_title(compared.scores.options.confidence), "labels"},
              {Left, Right, Left, Right});
  for (const app::CorrectedDifference& row : compared.corrected) {
    const std::string labels = render_count(static_cast<long long>(row.labels));
    if (!row.difference) {
      table.add({name_run(row.run), Cell("-"), Cell("-"), labels});
      notes.add_reason(row.run + ", corrected", row.difference.error());
      continue;
    }
    table.add({name_run(row.run), render_signed(row.difference->value),
               render_signed_interval(row.difference->interval), labels});
    notes.add_caveats(row.run + ", corrected", *row.difference);
    notes.add("corrected differences: " + row.difference->method);
  }
  return "\ndifferences corrected by human labels\n" + table.render();
}

std::string render_margins(const app::ComparedRuns& compared) {
  std::string text;
  for (const app::MarginTest& test : compared.margins) {
    text += fmt::format("\n{}: {} within a margin of {:g}", name_run(test.run),
                        name_of(test.verdict), test.margin);
    if (test.interval)
      text += fmt::format(" ({:.0f} % interval {:+.3f} to {:+.3f})", 100 * test.confidence,
                          test.interval->low, test.interval->high);
    else
      text += fmt::format(" ({})", printable(test.why));
    if (test.is_not_worse && name_of(test.verdict) != "equivalent")
      text += "; not worse by the margin or more";
    if (test.clusters_needed)
      text += fmt::format("; about {} would show it, if there is no difference",
                          render_count(*test.clusters_needed, "cluster"));
    text += "\n";
  }
  return text;
}

std::string render_item_changes(const std::vector<app::ItemChange>& items) {
  if (items.empty()) return "\nno such items\n";
  std::string text;
  for (const app::ItemChange& item : items) {
    const std::string change = item.change ? fmt::format(" ({:+g})", *item.change) : "";
    const Colour colour = !item.change || *item.change == 0 ? Colour::None
                          : *item.change < 0                ? Colour::Red
                                                            : Colour::Green;
    text += fmt::format("\n{}{}: {}\n", printable(item.id),
                        item.label.empty() ? "" : ", " + printable(item.label),
                        paint(stdout, colour,
                              fmt::format("{} -> {}{}", render_score(item.first),
                                          render_score(item.second), change)));
    if (const auto question = find_text(item.asked, "question"))
      text += render_text("question", *question);
    text += render_text("first", item.first.answer) + render_text("second", item.second.answer);
  }
  return text;
}

}  // namespace personascope::cli
