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

// What scores share with others: their persona and their question. Scores that have one of them in
// common are not independent. One number alone: clustered in one way.
struct Crossing {
  std::size_t persona = 0;
  std::size_t question = 0;

  Crossing(std::size_t cluster) : persona(cluster), question(cluster) {}
  Crossing(std::size_t of_persona, std::size_t of_question)
      : persona(of_persona), question(of_question) {}
};

// Scores with the clusters that each belongs to.
struct Scores {
  std::vector<double> values;
  std::vector<Crossing> clusters;

  void add(double value, Crossing cluster) {
    values.push_back(value);
    clusters.push_back(cluster);
  }
};

// The crossings' two ways as lists of keys.
struct CrossedKeys {
  std::vector<std::size_t> personas;
  std::vector<std::size_t> questions;
  bool is_one_way = true;
};
CrossedKeys keys_of(const std::vector<Crossing>& clusters);

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

// Two lists of scores of the same items: {"delta": second minus first, "ci95", "standard_error",
// "df", "p", "minimum_detectable", "n"}; null where there is none. p is that of sign flips as in
// `compare`, of whole personas and of whole questions: the larger counts.
Json describe_difference(const std::vector<double>& first, const std::vector<double>& second,
                         const std::vector<Crossing>& clusters,
                         const stats::Scale& scale = stats::kUnitScale);

// {"mean", "ci95", "n"} of numbers without a scale, clustered.
Json describe_lift(const Scores& lifts);

// Gives each row a "p_holm", adjusted for all rows that have a "p"; its interval `ci` becomes
// simultaneous for these rows, and "minimum_detectable" that of the adjusted test.
void add_holm(Json& rows, const std::string& ci = "ci95");

// What clusters the trials: personas and questions both, since pairs with the same one are not
// independent.
struct Clustering {
  std::string by;                  // "persona and question"
  std::vector<Crossing> of_trial;  // the clusters of each trial
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
