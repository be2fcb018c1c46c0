// Scales as people write them: "1-5", "0-1", "0-100".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "report/score_table.hpp"
#include "stats/estimate.hpp"

namespace personascope::report {

// "LOW-HIGH" or "LOW:HIGH"; Invalid unless both are numbers and LOW < HIGH.
Result<stats::Scale> parse_scale(std::string_view text);

// Every whole score of the scale, for statistics that need its places. Fails as Invalid if an end
// is missing or not whole, and on more than 1001 places.
Result<std::vector<int>> make_places(const stats::Scale& scale);

struct OffScale {
  const ScoreColumn& column;
  std::size_t row = 0;
  double score = 0;
};
// The first score of the table that the scale does not have.
std::optional<OffScale> find_off_scale(const ScoreTable& table, const stats::Scale& scale);

}  // namespace personascope::report
