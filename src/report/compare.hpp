// Runs on the same items, compared in pairs: every run against the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "report/join.hpp"
#include "report/score_table.hpp"
#include "stats/estimate.hpp"
#include "stats/paired.hpp"

namespace personascope::report {

enum class Better { Higher, Lower };

struct CompareOptions {
  std::optional<stats::Scale> scale =
      {};  // nothing: 0..1 if every score is 0 or 1, else without ends
  double confidence = 0.95;
  double alpha = 0.05;  // below this p-value a difference is claimed
  double power = 0.8;   // of the smallest detectable difference
  Better better = Better::Higher;
  stats::Weight weight = stats::Weight::Row;  // what the means and differences are means of
  std::uint64_t seed = 0;
  unsigned threads = 1;  // affects only the time, not the result
};

enum class Verdict {
  Better,
  Worse,
  NoDifferenceSeen,  // which is not "equal": see the smallest detectable difference
  Undecidable,       // too few pairs for any test
};
std::string_view name_of(Verdict verdict);

// A run alone, over all its scores.
struct RunMean {
  std::string run;
  Result<stats::Estimate> mean;
  std::size_t missing = 0;
};

// A run against the first one, over the items that both scored.
struct RunDifference {
  std::string run;
  std::string baseline;
  std::size_t missing = 0;  // items without a pair of scores
  // The run minus the baseline. Of several runs the intervals are simultaneous: all of them cover
  // with the confidence asked for. `minimum_detectable` is for the test that decides.
  Result<stats::PairedComparison> comparison;
  // Whole clusters change sign; near an end of the scale with a cluster that was not seen as well
  // (stats::unseen_difference), and the larger p counts. Nothing where the t test stands alone:
  // above 20,000 clusters, and for an alpha that random flips cannot reach.
  std::optional<stats::TestResult> sign_flip;
  // Exact, where every score is 0 or 1 and each cluster has one pair.
  std::optional<stats::TestResult> mcnemar;
  // The p-value of the verdict: the sign-flip p-value (otherwise t's, or of a difference that is
  // the same in every cluster that of its sign), for several runs adjusted for all of them (max-T
  // step down, else Holm).
  std::optional<double> claim_p_value;
  std::string claim_method;
  Verdict verdict = Verdict::Undecidable;
  std::string why;  // nothing could be decided, or no detectable difference be named; else empty
  std::string why_code;  // the same for programs: no_pairs, undefined, too_few_clusters, no_test,
                         // not_detectable
};

struct Comparison {
  std::size_t items = 0;
  std::size_t clusters = 0;
  std::optional<std::string> cluster_column;
  std::optional<stats::Scale> scale;  // as used
  CompareOptions options;
  std::vector<RunMean> runs;
  std::vector<RunDifference> differences;
  std::vector<Unmatched> files;       // of a join; else empty
  std::vector<std::string> warnings;  // about all of it, a sentence each
};

// The first column is the baseline. Fails on fewer than 2 columns and on scores off the scale.
Result<Comparison> compare_runs(const ScoreTable& table, const CompareOptions& options);

// Whether some run is worse than the first.
bool has_worse(const Comparison& comparison);

Json to_json(const Comparison& comparison);

}  // namespace personascope::report
