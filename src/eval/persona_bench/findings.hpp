// Findings as JSON: scores and differences with their intervals, and what they rest on.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "core/verdict.hpp"
#include "eval/persona_bench/trial.hpp"
#include "stats/estimate.hpp"

namespace personascope::eval::persona_bench {

// Scores with the cluster that each belongs to.
struct Scores {
  std::vector<double> values;
  std::vector<std::size_t> clusters;

  void add(double value, std::size_t cluster) {
    values.push_back(value);
    clusters.push_back(cluster);
  }
};

// {"scored", "cannot_assess", "refused", "failed"}.
class OutcomeCounts {
 public:
  void add(const core::Verdict& verdict) { ++counts_[verdict.kind]; }
  std::size_t of(core::VerdictKind kind) const;
  std::size_t all() const;
  Json render() const;

 private:
  std::map<core::VerdictKind, std::size_t> counts_;
};

// {"mean", "ci95", "n", "clusters", "method", "caveats"}, or "why_no_mean" with a null mean.
Json describe_mean(const Scores& scores, const stats::Scale& scale = stats::kUnitScale);

// The same with a weight for each score: also "effective_n"; "why_no_interval" where it has none.
Json describe_weighted_mean(const Scores& scores, const std::vector<double>& weights);

// Two lists of scores of the same items: {"delta": second minus first, "ci95", "p",
// "minimum_detectable", "n"}; null where there is none.
Json describe_difference(const std::vector<double>& first, const std::vector<double>& second,
                         const std::vector<std::size_t>& clusters,
                         const stats::Scale& scale = stats::kUnitScale);

// {"mean", "ci95", "n"} of numbers without a scale, clustered.
Json describe_lift(const Scores& lifts);

// Gives each row a "p_holm", adjusted for all rows that have a "p".
void add_holm(Json& rows);

// What clusters the trials: of personas and questions the one of which there are fewer, since pairs
// with the same one are not independent.
struct Clustering {
  std::string by;                     // "persona" or "question"
  std::vector<std::size_t> of_trial;  // the cluster of each trial
};
Clustering make_clustering(const std::vector<Trial>& trials);

// ---- the findings of each kind, added to `value`; graded is by trial ----
struct Findings {
  const BenchPlan& plan;
  const BenchData& data;
  const std::vector<Trial>& trials;
  const std::vector<Graded>& graded;
  const Clustering& clustering;
};

// The trials that are no pair's own, and how they ended.
struct ControlTrials {
  std::vector<Trial> trials;
  std::vector<Graded> graded;
};
// How the controls fare beside the pairs' own answers, if there are any.
void add_controls(const Findings& findings, const ControlTrials& controls, Json& value);
// Which answers that deserve nothing the critics have passed.
void add_canaries(const Findings& findings, Json& value);
// How many answers repeat their user's attributes.
void add_quotes(const Findings& findings, Json& value);
// The critics beside each other, if there are several.
void add_critics(const Findings& findings, Json& value);
void add_main(const Findings& findings, Json& value);
void add_loo(const Findings& findings, Json& value);
void add_populations(const Findings& findings, Json& value);
void add_pass_at_k(const Findings& findings, Json& value);

}  // namespace personascope::eval::persona_bench
