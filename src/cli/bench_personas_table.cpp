#include "cli/bench_personas_table.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

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

}  // namespace personascope::cli
