#include "report/scale.hpp"

#include <cmath>
#include <numeric>

#include "base/text.hpp"

namespace personascope::report {

Result<stats::Scale> parse_scale(std::string_view text) {
  // A minus in front belongs to the number, and after a colon no other is looked for.
  const std::size_t colon = text.find(':');
  const std::size_t cut = colon == std::string_view::npos ? text.find('-', 1) : colon;
  if (!text.empty() && cut != std::string_view::npos) {
    const auto low = find_number_in(trim(text.substr(0, cut)));
    const auto high = find_number_in(trim(text.substr(cut + 1)));
    if (low && high && *low < *high) return stats::Scale{*low, *high};
  }
  return fail(ErrorKind::Invalid, "\"{}\" is not a scale; write its ends as 1-5 or 0-1",
              printable(shorten(text, 40)));
}

Result<std::vector<int>> make_places(const stats::Scale& scale) {
  constexpr double kMostPlaces = 1001;
  const bool whole = std::floor(scale.low) == scale.low && std::floor(scale.high) == scale.high;
  if (!whole || !(scale.high - scale.low < kMostPlaces) || !(std::abs(scale.low) < 1e9)) {
    return fail(ErrorKind::Invalid, "a scale of whole scores is needed, such as 1-5");
  }
  std::vector<int> places;
  for (int place = static_cast<int>(scale.low); place <= static_cast<int>(scale.high); ++place) {
    places.push_back(place);
  }
  return places;
}

Result<void> check_on_scale(const ScoreTable& table, const stats::Scale& scale,
                            std::vector<std::size_t> columns) {
  if (columns.empty()) {
    columns.resize(table.columns.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
  }
  const auto name = [&](std::size_t row) {
    return table.ids.empty() ? fmt::format("row {}", row + 1)
                             : '"' + printable(shorten(table.ids[row], 60)) + '"';
  };
  for (const std::size_t number : columns) {
    const ScoreColumn& column = table.columns[number];
    for (std::size_t row = 0; row < column.cells.size(); ++row)
      if (const auto& cell = column.cells[row]; cell && (*cell < scale.low || *cell > scale.high))
        return fail(ErrorKind::Invalid, "{} has a score of {} for {}: outside the scale {} to {}",
                    printable(shorten(column.name, 60)), *cell, name(row), scale.low, scale.high);
  }
  return {};
}

}  // namespace personascope::report
