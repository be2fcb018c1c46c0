// Scores of dialogues summed up: mean or rate, its interval by user and task, and what it rests on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace personascope::eval::personalens {

struct ScoreRow {
  std::size_t user = 0;
  std::size_t task = 0;
  double score = 0;
};

struct ScoreScale {
  int low = 1;
  int high = 5;
  bool is_rate() const { return low == 0; }
};

// {"count", "mean" or "rate", "ci95", "standard_error", "method", "caveats", "min", "max",
// "distribution": by the nearest whole score}; without rows the numbers are null. `tasks` are ids.
Json summarize_scores(std::span<const ScoreRow> rows, const ScoreScale& scale);

// {"Alarm": {"count", "mean" or "rate"}, …}; `name_domain` gives the domain of a task's place.
Json summarize_by_domain(std::span<const ScoreRow> rows, const ScoreScale& scale,
                         const std::vector<std::string>& domain_by_task);

// The mean difference of pairs, {"pairs", "difference", "ci95"}; `rows` hold differences.
Json summarize_differences(std::span<const ScoreRow> rows);

}  // namespace personascope::eval::personalens
