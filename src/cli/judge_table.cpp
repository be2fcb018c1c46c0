#include "cli/judge_table.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

std::string render_value(const Json* value) {
  return value && value->is_number() ? fmt::format("{:.2f}", value->get<double>()) : "-";
}

std::string render_range(const Json& object, const char* member) {
  const Json* range = find_member(object, member);
  if (!range || range->size() != 2) return "-";
  return fmt::format("{:.2f} to {:.2f}", (*range)[0].get<double>(), (*range)[1].get<double>());
}

// "0.50 (0.20 to 0.80)", or "-" where there is no estimate.
std::string render_estimate(const Json* estimate) {
  if (!estimate || !estimate->is_object()) return "-";
  const std::string value = render_value(find_member(*estimate, "value"));
  const std::string interval = render_range(*estimate, "interval");
  return interval == "-" ? value : fmt::format("{} ({})", value, interval);
}

std::string render_count_of(const Json& score, const char* name) {
  return render_count(find_integer(score["counts"], name).value_or(0));
}

// The columns that not every run has.
struct Extras {
  bool calibrated = false;
  bool canaries = false;
  bool order_gap = false;
};

std::vector<Cell> make_row(const std::string& name, const Json& score, const Extras& extras) {
  const Json* mean = find_member(score, "mean");
  std::vector<Cell> row{name,
                        render_value(mean ? find_member(*mean, "value") : nullptr),
                        mean ? render_range(*mean, "interval") : "-",
                        render_count_of(score, "scored"),
                        render_count_of(score, "cannot_assess"),
                        render_count_of(score, "refused"),
                        render_count_of(score, "failed"),
                        render_range(score, "bounds")};
  const auto mean_of = [&](const char* member) {
    const Json* part = find_member(score, member);
    return part ? find_member(*part, "mean") : nullptr;
  };
  if (extras.calibrated) {
    const Json* calibrated = mean_of("prior_divided_out");
    row.emplace_back(render_value(calibrated ? find_member(*calibrated, "value") : nullptr));
  }
  if (extras.canaries) row.emplace_back(render_value(mean_of("canaries")));
  if (extras.order_gap) row.emplace_back(render_estimate(find_member(score, "order_gap")));
  return row;
}

std::string render_scores(const Json& results) {
  Extras extras;
  for (const Json& judge : results["judges"]) {
    extras.calibrated = extras.calibrated || judge.contains("prior_divided_out");
    extras.canaries = extras.canaries || judge.contains("canaries");
    extras.order_gap = extras.order_gap || judge.contains("order_gap");
  }
  std::vector<std::string> headings{"judge",         "mean",    "95 % interval", "scored",
                                    "cannot assess", "refused", "failed",        "bounds"};
  if (extras.calibrated) headings.emplace_back("prior divided out");
  if (extras.canaries) headings.emplace_back("canaries");
  if (extras.order_gap) headings.emplace_back("order gap");
  std::vector<Align> aligns(headings.size(), Align::Right);
  aligns.front() = Align::Left;
  Table table(std::move(headings), std::move(aligns));
  for (const Json& judge : results["judges"])
    table.add(make_row(printable(find_text(judge, "judge").value_or("")), judge, extras));
  if (results["judges"].size() > 1) table.add(make_row("panel", results["score"], extras));
  return table.render();
}

// What the mean rests on.
std::string render_basis(const Json& score) {
  const Json* mean = find_member(score, "mean");
  if (!mean)
    return fmt::format("no mean: {}\n", printable(find_text(score, "why_no_mean").value_or("")));
  return fmt::format("95 % interval: {}, {} items in {} groups\n",
                     printable(find_text(*mean, "method").value_or("")),
                     render_count(find_integer(*mean, "n").value_or(0)),
                     render_count(find_integer(*mean, "clusters").value_or(0)));
}

// " on 40 items", where there is an estimate.
std::string render_items(const Json* estimate) {
  if (!estimate) return "";
  return " on " + render_count(find_integer(*estimate, "n").value_or(0), "item");
}

std::string render_panel(const Json& panel) {
  const Json* agreement = find_member(panel, "agreement");
  const Json* votes = find_member(panel, "effective_votes_at_least");
  std::string text = fmt::format(
      "panel: {} of the judges; agreement (Krippendorff's alpha) {}{}; worth at least "
      "{} independent votes{}",
      panel["rule"].get<std::string>(), render_estimate(agreement), render_items(agreement),
      render_estimate(votes), render_items(votes));
  if (const auto escalated = find_integer(panel, "escalated"); escalated.value_or(0) > 0)
    text += fmt::format("; {} escalated", render_count(*escalated));
  for (const char* why : {"why_no_agreement", "why_no_effective_votes_at_least"})
    if (const auto reason = find_text(panel, why))
      text += fmt::format("\n  {}", printable(*reason));
  return text + "\n";
}

// Of every number in the table and below it, each once.
std::string render_caveats(const Json& results) {
  Notes notes;
  const bool is_panel = results["judges"].size() > 1;
  for (const Json& judge : results["judges"]) {
    const std::string name = is_panel ? find_text(judge, "judge").value_or("") : "";
    notes.add_caveats(name, find_member(judge, "mean"));
    if (const Json* calibrated = find_member(judge, "prior_divided_out"))
      notes.add_caveats(name, find_member(*calibrated, "mean"));
    notes.add_caveats(name, find_member(judge, "order_gap"));
  }
  if (is_panel) {
    notes.add_caveats("panel", find_member(results["score"], "mean"));
    notes.add_caveats("agreement", find_member(results["panel"], "agreement"));
  }
  return notes.render();
}

}  // namespace

std::string render_judge_results(const Json& results) {
  if (!find_member(results, "rubric") || !find_member(results, "judges")) return "";
  const Json& rubric = results["rubric"];
  std::string text = fmt::format(
      "{} (version {}), scale {} to {}\n", printable(find_text(rubric, "name").value_or("")),
      printable(find_text(rubric, "version").value_or("")), results["scale"][0].get<double>(),
      results["scale"][1].get<double>());
  text += render_scores(results);
  text += render_basis(results["score"]);
  if (const Json* panel = find_member(results, "panel")) text += render_panel(*panel);
  text += render_caveats(results);
  for (const Json& note : results["notes"])
    text += fmt::format("note: {}\n", printable(note.get<std::string>()));
  return text;
}

}  // namespace personascope::cli
