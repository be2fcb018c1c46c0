// Scales as people write them: "1-5", "0-1", "0-100".
#pragma once

#include <cstddef>
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

// Fails as Invalid, with the column and the item, on a score outside the scale; of these columns,
// or of all.
Result<void> check_on_scale(const ScoreTable& table, const stats::Scale& scale,
                            std::vector<std::size_t> columns = {});

}  // namespace personascope::report
