// The ranking of the published PersonaScores in imported packs, of which only means and standard
// deviations are known, with the range of ranks that they support.
//
// The ranks that fit a row: 1 + the rows that are surely better, up to the number of rows less
// those that are surely worse. Surely: the interval of the difference (Welch's t, each side's own
// standard error) does not contain 0, with the level divided among all pairs of rows (Bonferroni),
// so that all ranges hold together with at least the stated confidence. Rows are treated as
// independent, though they answered for the same personas: the ranges are wider than necessary.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "stats/estimate.hpp"

namespace personascope::eval::personagym {

struct LeaderboardEntry {
  std::string model;
  stats::Estimate persona_score;
  std::vector<std::pair<std::string, stats::Estimate>> tasks;  // by name
  std::vector<std::string> notes;
};

// A row of a pack's published.json; intervals rest on its "sd" and "personas". Fails as Invalid on
// a member that is missing or wrong.
Result<LeaderboardEntry> read_published_entry(const Json& row);

struct RankRange {
  std::size_t best = 1;
  std::size_t worst = 1;
};

struct LeaderboardRow {
  LeaderboardEntry entry;
  std::size_t rank = 1;                     // by the means alone; equal means share one
  std::optional<RankRange> ranks;           // nothing without a standard error on 5 personas
  double percent_over_best = 0;             // how far above the best row: 0, or negative
  std::optional<double> percent_over_base;  // the same for the base, if one was named
};

struct Leaderboard {
  std::vector<LeaderboardRow> rows;  // best first
  std::optional<std::string> base;
  double confidence = 0.95;
  std::size_t unranked = 0;  // rows without a standard deviation, or with fewer than 5 personas
};
Json to_json(const Leaderboard& leaderboard);

// `base` is a model of one of the entries, whatever the case. Fails as Invalid if there are no
// entries, or none or several of the base's name.
Result<Leaderboard> make_leaderboard(std::vector<LeaderboardEntry> entries,
                                     const std::optional<std::string>& base = {},
                                     double confidence = 0.95);

}  // namespace personascope::eval::personagym
