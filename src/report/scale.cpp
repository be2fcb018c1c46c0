#include "report/scale.hpp"

#include <cmath>

#include "base/text.hpp"

namespace personascope::report {

Result<stats::Scale> parse_scale(std::string_view text) {
  // A minus in front belongs to the number.
  const std::size_t cut = text.find_first_of("-:", 1);
  if (!text.empty() && cut != std::string_view::npos) {
    const auto low = find_number_in(trim(text.substr(0, cut)));
    const auto high = find_number_in(trim(text.substr(cut + 1)));
    if (low && high && *low < *high) return stats::Scale{*low, *high};
  }
  return fail(ErrorKind::Invalid, "\"{}\" is no scale; write its ends as 1-5 or 0-1",
              printable(shorten(text, 40)));
}

Result<std::vector<int>> make_places(const stats::Scale& scale) {
  constexpr double kMostPlaces = 1001;
  const bool whole = std::floor(scale.low) == scale.low && std::floor(scale.high) == scale.high;
  if (!whole || !(scale.high - scale.low < kMostPlaces) || !(std::abs(scale.low) < 1e9)) {
    return fail(ErrorKind::Invalid, "it needs a scale of whole scores, such as 1-5");
  }
  std::vector<int> places;
  for (int place = static_cast<int>(scale.low); place <= static_cast<int>(scale.high); ++place) {
    places.push_back(place);
  }
  return places;
}

std::optional<OffScale> find_off_scale(const ScoreTable& table, const stats::Scale& scale) {
  for (const ScoreColumn& column : table.columns)
    for (std::size_t row = 0; row < column.cells.size(); ++row)
      if (const auto& cell = column.cells[row]; cell && (*cell < scale.low || *cell > scale.high))
        return OffScale{column, row, *cell};
  return std::nullopt;
}

}  // namespace personascope::report
