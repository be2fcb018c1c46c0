// Differences between runs that a judge scored, corrected by human labels of a part of the items.
//
// A judge that favours one of the runs shows a difference that people would not see. Labels of the
// same items in both runs correct it (PPI++ on the differences of the pairs).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "report/compare.hpp"
#include "report/score_table.hpp"
#include "stats/estimate.hpp"

namespace personascope::report {

struct CorrectedDifference {
  std::string run;
  std::string baseline;
  std::size_t labels = 0;  // items that have labels in both runs
  // The mean human difference, the run minus the baseline. Of several runs the intervals are
  // simultaneous (Bonferroni).
  Result<stats::Estimate> difference;
};

// The table has a column of scores for each run, the baseline first, then a column of labels for
// each run in the same order. Where labels cannot correct a difference (too few, not drawn at
// random), the row has an error that says why. Fails as Invalid if the columns are not in pairs or
// a score or label is off the scale.
Result<std::vector<CorrectedDifference>> correct_differences(const ScoreTable& table,
                                                             const CompareOptions& options);

Json to_json(const CorrectedDifference& corrected);

}  // namespace personascope::report
