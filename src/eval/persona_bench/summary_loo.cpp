// Leave-one-out: what each attribute does to the score of the same question.
#include <algorithm>
#include <map>

#include "eval/persona_bench/findings.hpp"
#include "stats/sum.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::size_t kWhole = 0;  // the arm whose trials show the whole persona

// Pairs of trials, with and without, that were both scored.
struct Paired {
  std::vector<double> with;
  std::vector<double> without;
  std::vector<std::size_t> clusters;
};

Paired pair_up(const Findings& findings, std::size_t arm) {
  std::map<std::pair<std::size_t, int>, double> whole;  // scores by pair and epoch
  for (std::size_t i = 0; i < findings.trials.size(); ++i) {
    const Trial& trial = findings.trials[i];
    if (trial.arm == kWhole && core::is_scored(findings.graded[i].verdict))
      whole[{trial.pair, trial.epoch}] = findings.graded[i].verdict.score;
  }
  Paired paired;
  for (std::size_t i = 0; i < findings.trials.size(); ++i) {
    const Trial& trial = findings.trials[i];
    if (trial.arm != arm || !core::is_scored(findings.graded[i].verdict)) continue;
    const auto other = whole.find({trial.pair, trial.epoch});
    if (other == whole.end()) continue;
    paired.with.push_back(other->second);
    paired.without.push_back(findings.graded[i].verdict.score);
    paired.clusters.push_back(findings.clustering.of_trial[i]);
  }
  return paired;
}

Json describe(const Findings& findings, std::size_t arm) {
  const Paired paired = pair_up(findings, arm);
  Json row = describe_difference(paired.without, paired.with, paired.clusters);
  row["with"] = nullptr;
  row["without"] = nullptr;
  if (!paired.with.empty()) {
    row["with"] = stats::mean_of(paired.with);
    row["without"] = stats::mean_of(paired.without);
  }
  return row;
}

}  // namespace

void add_loo(const Findings& findings, Json& value) {
  Scores whole;
  for (std::size_t i = 0; i < findings.trials.size(); ++i)
    if (findings.trials[i].arm == kWhole && core::is_scored(findings.graded[i].verdict))
      whole.add(findings.graded[i].verdict.score, findings.clustering.of_trial[i]);
  value["score"] = describe_mean(whole);
  const auto& attributes = findings.plan.attributes;
  Json rows = Json::array();
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    Json row = describe(findings, i + 1);
    row["attribute"] = attributes[i];
    rows.push_back(std::move(row));
  }
  add_holm(rows);
  // What matters most comes first; what has no delta last.
  std::stable_sort(rows.begin(), rows.end(), [](const Json& one, const Json& other) {
    return find_number(one, "delta").value_or(-2) > find_number(other, "delta").value_or(-2);
  });
  value["attributes"] = std::move(rows);
  if (attributes.size() > 1) value["all_left_out"] = describe(findings, attributes.size() + 1);
}

}  // namespace personascope::eval::persona_bench
