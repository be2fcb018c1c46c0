// Leave-one-out: what each attribute does to the score of the same question.
#include <algorithm>
#include <map>

#include "eval/persona_bench/findings.hpp"
#include "stats/rank.hpp"
#include "stats/sum.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::size_t kWhole = 0;  // the arm whose trials show the whole persona

// Pairs of trials, with and without, that were both scored.
struct Paired {
  std::vector<double> with;
  std::vector<double> without;
  std::vector<Crossing> clusters;
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

// What each attribute adds to the likelihood of the answers to the whole persona, beside what the
// critic says, and whether the two put the attributes in the same order.
void add_lifts(const Findings& findings, Json& rows, Json& value) {
  std::vector<double> judged;
  std::vector<double> read;
  for (Json& row : rows) {
    Scores lifts;
    for (std::size_t i = 0; i < findings.trials.size(); ++i) {
      if (!findings.graded[i].lift) continue;
      const auto& by_attribute = findings.graded[i].lift->by_attribute;
      const auto found = by_attribute.find(row["attribute"].get<std::string>());
      if (found != by_attribute.end()) lifts.add(found->second, findings.clustering.of_trial[i]);
    }
    row["lift"] = describe_lift(lifts);
    const auto delta = find_number(row, "delta");
    const auto lift = find_number(row["lift"], "mean");
    if (!delta || !lift) continue;
    judged.push_back(*delta);
    read.push_back(*lift);
  }
  Json correlation = {{"spearman", nullptr}, {"attributes", judged.size()}};
  const auto spearman = stats::spearman(judged, read);
  if (spearman)
    correlation["spearman"] = spearman->value;
  else
    correlation["why_none"] = spearman.error().message;
  value["reader"] = findings.plan.reader;
  value["rank_correlation"] = std::move(correlation);
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
  if (!findings.plan.reader.empty()) add_lifts(findings, rows, value);
  // What matters most comes first; what has no delta last.
  std::stable_sort(rows.begin(), rows.end(), [](const Json& one, const Json& other) {
    return find_number(one, "delta").value_or(-2) > find_number(other, "delta").value_or(-2);
  });
  value["attributes"] = std::move(rows);
  if (attributes.size() > 1) value["all_left_out"] = describe(findings, attributes.size() + 1);
}

}  // namespace personascope::eval::persona_bench
