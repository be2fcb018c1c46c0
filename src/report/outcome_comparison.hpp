// How often items ended without a score, in each of several runs: a part of what is compared, since
// a run that refuses the hard questions has a better mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "core/outcome.hpp"
#include "report/compare.hpp"
#include "report/score_table.hpp"
#include "stats/estimate.hpp"

namespace personascope::report {

// The share of one outcome, compared as scores of 0 and 1 are: intervals, and a paired test that
// is McNemar's where every item is a cluster of its own.
struct OutcomeComparison {
  core::Outcome outcome = core::Outcome::Refused;
  Comparison rates;
};

// How the items of a table ended: a list for each column, one outcome a row; empty if they are not
// known.
using OutcomeColumns = std::vector<std::vector<core::Outcome>>;

// The outcomes of these items, in their order; `ids` and `outcomes` are a run's.
std::vector<core::Outcome> align_outcomes(const std::vector<std::string>& items,
                                          const std::vector<std::string>& ids,
                                          const std::vector<core::Outcome>& outcomes);

// One for each of refused, empty, abstained and failed that occurs; none if outcomes is empty.
Result<std::vector<OutcomeComparison>> compare_outcomes(const ScoreTable& table,
                                                        const OutcomeColumns& outcomes,
                                                        const CompareOptions& options);

// The mean if every item without a score had the worst one, and the best.
struct ScoreBounds {
  std::string run;
  double low = 0;
  double high = 0;
};
std::vector<ScoreBounds> list_bounds(const ScoreTable& table, const stats::Scale& scale);

// What a score is given to an item that was refused, empty or abstained.
enum class Unscored {
  Drop,   // it is left out
  Worst,  // the worst of the scale
};
std::string_view name_of(Unscored unscored);

// Gives these items `worst` and returns how many there were. Failed items stay without a score.
std::size_t fill_unscored(ScoreTable& table, const OutcomeColumns& outcomes, double worst);

Json to_json(const std::vector<OutcomeComparison>& outcomes);

}  // namespace personascope::report
