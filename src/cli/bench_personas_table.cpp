#include "cli/bench_personas_table.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kContradictionsShown = 5;
constexpr std::size_t kLongestWhy = 120;

std::string render_share(const Json& row, const char* member) {
  const auto value = find_number(row, member);
  return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string count_in(const Json& report, const char* member) {
  return render_count(find_integer(report, member).value_or(0));
}

}  // namespace

std::string render_diversity(const Json& report) {
  using enum Align;
  Table table({"attribute", "values", "possible", "coverage", "evenness"},
              {Left, Right, Right, Right, Right});
  for (const Json& row : report["attributes"]) {
    const auto possible = find_integer(row, "possible");
    table.add({printable(row["attribute"].get<std::string>()), count_in(row, "distinct"),
               possible ? render_count(*possible) : "-", render_share(row, "coverage"),
               render_share(row, "evenness")});
  }
  return fmt::format("{}{} personas, {} of them duplicates\n", table.render(),
                     count_in(report, "personas"), count_in(report, "duplicates"));
}

std::string render_written_personas(const Json& results) {
  if (find_text(results, "evaluation") != "bench/personas") return "";
  std::string text = render_diversity(results);
  text += fmt::format("dropped {} of {} for a contradiction; {} refused, {} failed\n",
                      count_in(results, "dropped"), count_in(results, "asked"),
                      count_in(results, "refused"), count_in(results, "failed"));
  std::size_t shown = 0;
  for (const Json& one : results["contradictions"]) {
    if (shown++ == kContradictionsShown) break;
    text += fmt::format("  {}: {}\n", printable(find_text(one, "persona").value_or("")),
                        printable(shorten(find_text(one, "why").value_or(""), kLongestWhy)));
  }
  if (const auto output = find_text(results, "output"); output && !output->empty())
    text += fmt::format("kept: {}\n", printable(*output));
  return text;
}

}  // namespace personascope::cli
