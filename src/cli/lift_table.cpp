#include "cli/lift_table.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kMostPersonas = 12;

// "+0.31 (0.22 to 0.40)", or "-" where there is no estimate.
std::string render_estimate(const Json* estimate, const char* form) {
  if (!estimate || !estimate->is_object()) return "-";
  const std::string value = fmt::format(fmt::runtime(form), (*estimate)["value"].get<double>());
  const Json& interval = (*estimate)["interval"];
  if (!interval.is_array()) return value;
  return fmt::format("{} ({:.2f} to {:.2f})", value, interval[0].get<double>(),
                     interval[1].get<double>());
}

std::vector<Cell> make_row(std::string name, const Json& side) {
  const Json* found = find_member(side, "identification");
  const auto part = [&](const char* member) {
    return found && found->is_object() ? find_member(*found, member) : nullptr;
  };
  return {std::move(name), render_count(side["lift"]["n"].get<long long>()),
          render_estimate(&side["lift"], "{:+.2f}"), render_estimate(part("accuracy"), "{:.2f}"),
          render_estimate(part("reciprocal_rank"), "{:.2f}")};
}

void add_control(Table& table, const Json& results, const char* member, const std::string& name) {
  const Json& control = results[member];
  if (!control.is_object()) return;
  table.add(make_row(name, control));
  table.add({"answers less " + name, render_count(control["lift_difference"]["n"].get<long long>()),
             render_estimate(&control["lift_difference"], "{:+.2f}"),
             render_estimate(&control["accuracy_difference"], "{:+.2f}"), std::string("-")});
}

std::string render_figures(const Json& results) {
  Table table({"", "read", "lift, nats a token", "named right", "mean reciprocal rank"},
              {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  const Json& answers = results["answers"];
  table.add(make_row("answers", answers));
  add_control(table, results, "control", "control");
  add_control(table, results, "content_free", "content-free");
  if (const Json& found = answers["identification"]; found.is_object())
    table.add({std::string("chance"), std::string(), std::string(),
               fmt::format("{:.2f}", found["chance_accuracy"].get<double>()),
               fmt::format("{:.2f}", found["chance_reciprocal_rank"].get<double>())});
  std::string text = table.render();
  text += fmt::format("in brackets: 95 % intervals, clustered by persona ({})\n",
                      render_count(answers["lift"]["clusters"].get<long long>()));
  for (const Json& caveat : answers["lift"]["caveats"])
    text += fmt::format("  {}\n", printable(caveat.get<std::string>()));
  if (const auto why = find_text(answers, "why_no_identification"))
    text += fmt::format("  no identification: {}\n", printable(*why));
  return text;
}

std::string render_confusion(const Json& results) {
  const Json& found = results["answers"]["identification"];
  if (!found.is_object()) return "";
  std::map<std::pair<std::size_t, std::size_t>, double> cells;
  std::set<std::size_t> shown;
  for (const Json& cell : found["confusion"]) {
    const auto truth = cell["persona"].get<std::size_t>();
    const auto named = cell["named"].get<std::size_t>();
    cells[{truth, named}] = cell["count"];
    shown.insert({truth, named});
  }
  if (shown.size() > kMostPersonas)
    return fmt::format("who was taken for whom: {} personas, see --json\n",
                       render_count(static_cast<long long>(shown.size())));
  std::vector<std::string> headings{"true \\ named"};
  std::vector<Align> aligns{Align::Left};
  for (std::size_t number = 1; number <= shown.size(); ++number) {
    headings.push_back(std::to_string(number));
    aligns.push_back(Align::Right);
  }
  Table table(std::move(headings), std::move(aligns));
  std::size_t number = 0;
  for (const std::size_t truth : shown) {
    std::vector<Cell> row{
        fmt::format("{} {}", ++number, printable(results["personas"][truth].get<std::string>()))};
    for (const std::size_t named : shown) {
      const auto cell = cells.find({truth, named});
      row.emplace_back(cell == cells.end() ? "." : fmt::format("{:.3g}", cell->second));
    }
    table.add(std::move(row));
  }
  return table.render();
}

}  // namespace

std::string render_lift_results(const Json& results) {
  const auto reader = find_text(results, "reader");
  if (!reader || find_member(results, "evaluation")) return "";
  if (const auto why = find_text(results, "why_no_summary"))
    return fmt::format("no summary: {}\n", printable(*why));
  std::string text =
      fmt::format("persona lift and identification, read by {}\n", printable(*reader));
  text += render_figures(results);
  text += render_confusion(results);
  for (const Json& note : results["notes"])
    text += fmt::format("note: {}\n", printable(note.get<std::string>()));
  return text;
}

}  // namespace personascope::cli
