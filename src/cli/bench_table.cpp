#include "cli/bench_table.hpp"
#include "cli/estimate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "cli/banded_bar.hpp"
#include "cli/forest_plot.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

std::string render_number(const Json& object, const char* member, int digits = 3) {
  const auto value = find_number(object, member);
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string render_range(const Json& object, const char* member, int digits = 3) {
  const Json* range = find_member(object, member);
  if (!range || !range->is_array() || range->size() != 2) return "-";
  return fmt::format("{:.{}f} to {:.{}f}", (*range)[0].get<double>(), digits,
                     (*range)[1].get<double>(), digits);
}

std::string render_signed_number(const Json& object, const char* member) {
  const auto value = find_number(object, member);
  return value ? fmt::format("{:+.3f}", *value) : "-";
}

std::string render_n(const Json& object, const char* member = "n") {
  const auto value = find_integer(object, member);
  return value ? render_count(*value) : "-";
}

std::string render_label(const Json& object, const char* member) {
  return printable(find_text(object, member).value_or(""));
}

// "what  0.420  0.310 to 0.530  n"
void add_mean(Table& table, const std::string& what, const Json& score) {
  table.add({what, render_number(score, "mean"), render_range(score, "ci95"), render_n(score)});
}

Table make_mean_table(const std::string& what) {
  using enum Align;
  return Table({what, "mean", "95 % interval", "n"}, {Left, Right, Right, Right});
}

// A blank line parts what is shown.
std::string below(std::string text, const std::string& more) {
  if (!text.empty() && !more.empty()) text += "\n";
  return text + more;
}

std::string render_comparisons(const Json& rows) {
  using enum Align;
  Table table({"second minus first", "delta", "95 % interval", "p", "p (Holm)", "n"},
              {Left, Right, Right, Right, Right, Right});
  for (const Json& row : rows)
    table.add({render_label(row, "second") + " - " + render_label(row, "first"),
               render_signed_number(row, "delta"), render_range(row, "ci95"),
               render_p(find_number(row, "p")), render_p(find_number(row, "p_holm")),
               render_n(row)});
  return table.render();
}

std::optional<std::pair<double, double>> find_interval(const Json& row, const char* member) {
  const Json* range = find_member(row, member);
  if (!range || !range->is_array() || range->size() != 2) return std::nullopt;
  return std::pair((*range)[0].get<double>(), (*range)[1].get<double>());
}

// A share with its interval, 30 columns for 1.
std::string render_bar(const Json& row, const char* member = "value") {
  const auto share = find_number(row, member);
  return share ? render_banded_bar(*share, find_interval(row, "ci95"), 30) : "";
}

// The critics beside each other, if there were several.
std::string render_critics(const Json& results) {
  const Json* critics = find_member(results, "critics");
  if (!critics) return "";
  Table table = make_mean_table("critic");
  for (const Json& critic : *critics)
    add_mean(table, render_label(critic, "critic"), critic["score"]);
  return below(table.render(), render_comparisons(results["critic_comparisons"]));
}

std::string describe_shown(const std::string& shown) {
  if (shown == "own_persona") return "the user's own";
  if (shown == "no_persona") return "control: none";
  return "control: another's";
}

// "own minus control" of a measure.
std::string render_control_differences(const Json& rows, const std::string& what) {
  using enum Align;
  Table table({what + ", own minus control", "delta", "95 % interval", "p", "p (max-T)", "n"},
              {Left, Right, Right, Right, Right, Right});
  for (const Json& row : rows)
    table.add({describe_shown(find_text(row, "first").value_or("")),
               render_signed_number(row, "delta"), render_range(row, "ci95"),
               render_p(find_number(row, "p")), render_p(find_number(row, "p_max_t")),
               render_n(row)});
  return table.render();
}

std::string render_controls(const Json& results) {
  const Json* controls = find_member(results, "controls");
  if (!controls) return "";
  Table table = make_mean_table("persona shown");
  for (const Json& row : (*controls)["answers"])
    add_mean(table, describe_shown(find_text(row, "shown").value_or("")), row["score"]);
  std::string text =
      below(table.render(), render_control_differences((*controls)["comparisons"], "score"));
  const Json* lifts = find_member(*controls, "lift_comparisons");
  if (!lifts) return text;
  Table read = make_mean_table("persona lift, nats a token");
  for (const Json& row : (*controls)["answers"])
    add_mean(read, describe_shown(find_text(row, "shown").value_or("")), row["lift"]);
  return below(below(text, read.render()), render_control_differences(*lifts, "lift"));
}

// What each critic gave answers that deserve nothing.
std::string render_canaries(const Json& results) {
  const Json* canaries = find_member(results, "canaries");
  if (!canaries) return "";
  std::string text;
  for (const Json& row : *canaries)
    text += fmt::format("canaries: mean {} by the {} critic ({} of {} scored)\n",
                        render_number(row, "mean"), render_label(row, "critic"),
                        render_n(row, "scored"), render_n(row, "judged"));
  return text;
}

std::string render_quotes(const Json& results) {
  const Json* quotes = find_member(results, "quotes");
  if (!quotes) return "";
  return fmt::format("{} of {} answers repeat attributes of their user word for word\n",
                     render_n(*quotes, "quoting"), render_n(*quotes, "answers"));
}

std::optional<ForestRow> make_forest_row(const Json& row, std::string label, const char* interval) {
  const auto delta = find_number(row, "delta");
  if (!delta) return std::nullopt;
  return ForestRow{std::move(label), *delta, find_interval(row, interval)};
}

std::string render_main(const Json& results) {
  Table table = make_mean_table("mode");
  if (const Json* modes = find_member(results, "modes")) {
    for (const Json& mode : *modes) add_mean(table, render_label(mode, "mode"), mode["score"]);
    return below(table.render(), render_comparisons(results["comparisons"]));
  }
  add_mean(table, render_label(results, "mode"), results["score"]);
  return table.render();
}

// What each attribute adds to the answers' likelihood, if it was read.
std::string render_attribute_lifts(const Json& results) {
  const Json* correlation = find_member(results, "rank_correlation");
  if (!correlation) return "";
  std::vector<Json> rows;
  for (const Json& row : results["attributes"]) rows.push_back(row);
  std::ranges::stable_sort(rows, [](const Json& one, const Json& other) {
    return find_number(one["lift"], "mean").value_or(-1e9) >
           find_number(other["lift"], "mean").value_or(-1e9);
  });
  std::vector<ForestRow> drawn;
  for (const Json& row : rows) {
    const auto mean = find_number(row["lift"], "mean");
    if (!mean) continue;
    drawn.push_back({render_label(row, "attribute"), *mean, find_interval(row["lift"], "ci95")});
  }
  return fmt::format(
             "what each attribute adds to the answer's likelihood, in nats a token, read by {}:\n",
             render_label(results, "reader")) +
         render_forest(drawn, columns(stdout)) +
         fmt::format("rank correlation of the two orders over {} attributes: {}\n",
                     render_n(*correlation, "attributes"), render_number(*correlation, "spearman"));
}

std::string render_loo(const Json& results) {
  using enum Align;
  Table table({"left out", "with", "without", "delta", "95 % interval", "p", "p (Holm)", "n"},
              {Left, Right, Right, Right, Right, Right, Right, Right});
  std::vector<ForestRow> drawn;
  const auto add = [&](const Json& row, const std::string& label) {
    table.add({label, render_number(row, "with"), render_number(row, "without"),
               render_signed_number(row, "delta"), render_range(row, "ci95"),
               render_p(find_number(row, "p")), render_p(find_number(row, "p_holm")),
               render_n(row)});
    if (auto line = make_forest_row(row, label, "ci95")) drawn.push_back(std::move(*line));
  };
  for (const Json& row : results["attributes"]) add(row, render_label(row, "attribute"));
  if (const Json* all = find_member(results, "all_left_out")) add(*all, "(all of these)");
  const std::string forest =
      "what each attribute adds to the score:\n" + render_forest(drawn, columns(stdout));
  return below(below(table.render(), forest), render_attribute_lifts(results));
}

// What populations are called in tables.
struct PopulationNames {
  std::vector<std::string> shown;  // in the order of the populations
  std::string legend;              // of the letters, where names longer than `most` have them
};

PopulationNames shorten_names(const Json& populations, std::size_t most) {
  PopulationNames names;
  for (const Json& row : populations) names.shown.push_back(render_label(row, "name"));
  if (std::ranges::all_of(names.shown, [&](const auto& name) { return width(name) <= most; }))
    return names;
  for (std::size_t i = 0; i < names.shown.size(); ++i) {
    std::string letter(1, static_cast<char>('A' + i % 26));
    if (i >= 26) letter += std::to_string(i / 26 + 1);
    names.legend += fmt::format("{}: {}\n", letter, names.shown[i]);
    names.shown[i] = std::move(letter);
  }
  return names;
}

std::string render_populations(const Json& results) {
  using enum Align;
  constexpr std::size_t kRoom = 22;  // of 100 columns
  const PopulationNames names = shorten_names(results["populations"], kRoom);
  std::size_t next = 0;
  Table table({"population", "personas", "rate", "95 % interval", "shrunk", "others", "gap",
               "p (Holm)", "n"},
              {Left, Right, Right, Right, Right, Right, Right, Right, Right});
  Table bars({"rates, with their intervals", ""}, {Left, Left});
  std::vector<ForestRow> drawn;
  for (const Json& row : results["populations"]) {
    const std::string& name = names.shown[next++];
    table.add({name, render_n(row, "personas"), render_number(row, "rate"),
               render_range(row, "ci95"), render_number(row, "shrunk"),
               render_number(row["complement"], "rate"), render_signed_number(row, "delta"),
               render_p(find_number(row, "p_holm")), render_n(row)});
    bars.add({name, render_bar(row, "rate")});
    if (auto line = make_forest_row(row, name, "gap_ci95")) drawn.push_back(std::move(*line));
  }
  std::string overlaps;
  for (const Json& overlap : results["overlaps"])
    overlaps += fmt::format("{} personas are in both {} and {}\n", render_n(overlap, "personas"),
                            printable(overlap["populations"][0].get<std::string>()),
                            printable(overlap["populations"][1].get<std::string>()));
  const std::string forest =
      "each population minus the others:\n" + render_forest(drawn, columns(stdout));
  std::string text = below(render_main(results), names.legend);
  for (const std::string& more : {table.render(), bars.render(), forest, overlaps})
    text = below(std::move(text), more);
  return text;
}

std::string render_pass_at_k(const Json& results) {
  using enum Align;
  Table table(
      {"k", "pass@k", "95 % interval", "pass^k", "95 % interval", "n", "pass@k, with its band"},
      {Right, Right, Right, Right, Right, Right, Left});
  const Json& at = results["pass_at_k"];
  const Json& hat = results["pass_hat_k"];
  for (std::size_t i = 0; i < at.size(); ++i)
    table.add({render_n(at[i], "k"), render_number(at[i], "value"), render_range(at[i], "ci95"),
               render_number(hat[i], "value"), render_range(hat[i], "ci95"), render_n(at[i]),
               render_bar(at[i])});
  const Json& attempts = results["attempts"];
  return table.render() +
         fmt::format(
             "drafts until one passes, at most {}: {} ({}); none passed for {} of {} pairs\n",
             render_n(results, "drafts"), render_number(attempts, "value", 2),
             render_range(attempts, "ci95", 2), render_n(attempts["first_success"], "never"),
             render_n(attempts["first_success"], "pairs"));
}

std::string render_comparison(const Json& results) {
  Table table = make_mean_table("answers");
  add_mean(table, "right for the user", results["score"]);
  for (const Json& kind : results["kinds"])
    add_mean(table, "  " + render_label(kind, "kind"), kind);
  add_mean(table, "right for both users", results["consistency"]["both_right"]);
  add_mean(table, "the same for both", results["consistency"]["same_answer"]);
  add_mean(table, "each right for the other", results["consistency"]["swapped"]);
  add_mean(table, "control: user not shown", results["control"]);
  const Json& lift = results["lift"];
  return table.render() + fmt::format("lift over the control: {} ({}), p {}\n",
                                      render_signed_number(lift, "delta"),
                                      render_range(lift, "ci95"), render_p(find_number(lift, "p")));
}

std::string render_notes(const Json& results) {
  std::string text;
  for (const Json& note : results["notes"])
    text += fmt::format("note: {}\n", printable(note.get<std::string>()));
  return text;
}

// A run by the reference protocol: what the published package would have said, and the same scores
// as we would put them.
std::string render_reference(const Json& results) {
  using enum Align;
  Table table({"as published", "accuracy", "bootstrap_std", "n", "95 % interval, clustered"},
              {Left, Right, Right, Right, Right});
  const auto add = [&](const Json& row, const std::string& label) {
    table.add({label, render_number(row, "accuracy"), render_number(row, "bootstrap_std"),
               render_n(row), render_range(row["score"], "ci95")});
  };
  const Json* populations = find_member(results, "populations");
  constexpr std::size_t kRoom = 40;  // of 100 columns
  const PopulationNames names = shorten_names(populations ? *populations : Json::array(), kRoom);
  add(results, "all");
  if (const Json* baseline = find_member(results, "baseline")) add(*baseline, "all left out");
  if (const Json* rows = find_member(results, "attributes"))
    for (const Json& row : *rows) add(row, "without " + render_label(row, "attribute"));
  if (const Json* rows = populations)
    for (std::size_t i = 0; i < rows->size(); ++i) add((*rows)[i], names.shown[i]);
  std::string text = below(names.legend, table.render());
  const Json* curve = find_member(results, "cum_score");
  if (!curve) return text;
  Table points({"k", "cum_score", ""}, {Right, Right, Left});
  for (const Json& point : *curve)
    points.add({render_n(point, "k"), render_number(point, "value"), render_bar(point)});
  return below(text, points.render());
}

// "18 answers: 16 scored, 0 refused, 2 failed"
std::string render_counts(const std::vector<Json>& outcomes, const char* what) {
  std::int64_t all = 0;
  std::vector<std::string> parts;
  for (const char* name : {"scored", "cannot_assess", "refused", "failed"}) {
    std::int64_t count = 0;
    for (const Json& one : outcomes) count += find_integer(one, name).value_or(0);
    all += count;
    const bool is_shown = count > 0 || std::string_view(name) != "cannot_assess";
    if (is_shown)
      parts.push_back(fmt::format("{} {}", render_count(count), replace_all(name, "_", " ")));
  }
  return fmt::format("{}: {}", render_count(all, what), join(parts, ", "));
}

// The answers' outcomes and those of their controls, which are in no mean of theirs.
std::string render_outcomes(const Json& results) {
  const Json* outcomes = find_member(results, "outcomes");
  if (!outcomes) return "";
  std::string text =
      fmt::format("{}; intervals are clustered by {}\n", render_counts({*outcomes}, "answer"),
                  printable(find_text(results, "clustered_by").value_or("pair")));
  const Json* controls = find_member(results, "controls");
  if (!controls) return text;
  std::vector<Json> others;
  for (const Json& row : (*controls)["answers"])
    if (find_text(row, "shown") != "own_persona") others.push_back(row["outcomes"]);
  return text + render_counts(others, "control answer") + "\n";
}

}  // namespace

std::string render_bench_results(const Json& results) {
  const std::string evaluation = find_text(results, "evaluation").value_or("");
  if (!evaluation.starts_with("bench/")) return "";
  std::string text = fmt::format("{}: {}", evaluation, render_label(results, "model"));
  if (find_text(results, "judge")) text += ", judged by " + render_label(results, "judge");
  text += "\n";
  if (find_text(results, "protocol") == "reference") {
    text += render_reference(results);
    return below(text, render_outcomes(results) + render_notes(results));
  }
  if (evaluation == "bench/main") text += render_main(results);
  if (evaluation == "bench/loo") text += render_loo(results);
  if (evaluation == "bench/intersectionality") text += render_populations(results);
  if (evaluation == "bench/pass-at-k") text += render_pass_at_k(results);
  if (evaluation == "bench/comparison") text += render_comparison(results);
  text = below(std::move(text), render_critics(results));
  text = below(std::move(text), render_controls(results));
  return below(text, render_outcomes(results) + render_quotes(results) + render_canaries(results) +
                         render_notes(results));
}

}  // namespace personascope::cli
