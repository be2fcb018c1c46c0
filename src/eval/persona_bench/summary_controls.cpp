// The controls: answers made with no persona and with another's, judged by the true one. What they
// reach is reached without knowing the user.
#include <algorithm>
#include <array>
#include <map>

#include "eval/persona_bench/findings.hpp"
#include "stats/sign_flip.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::array kShown{Shown::Own, Shown::Nobodys, Shown::Anothers};

// One pair: how the answer of each kind ended.
struct ControlledPair {
  std::array<const Graded*, kShown.size()> graded{};
  Crossing cluster = 0;
};

std::vector<ControlledPair> list_pairs(const Findings& findings, const ControlTrials& controls) {
  std::map<std::size_t, ControlledPair> pairs;
  for (std::size_t i = 0; i < findings.trials.size(); ++i) {
    if (!findings.trials[i].has_controls) continue;
    ControlledPair& pair = pairs[findings.trials[i].pair];
    pair.graded[0] = &findings.graded[i];
    pair.cluster = findings.clustering.of_trial[i];
  }
  for (std::size_t i = 0; i < controls.trials.size(); ++i)
    pairs[controls.trials[i].pair].graded[static_cast<std::size_t>(controls.trials[i].shown)] =
        &controls.graded[i];
  std::vector<ControlledPair> list;
  for (const auto& [number, pair] : pairs) list.push_back(pair);
  return list;
}

std::optional<double> score_of(const Graded* graded) {
  if (!graded || !core::is_scored(graded->verdict)) return std::nullopt;
  return graded->verdict.score;
}
std::optional<double> lift_of(const Graded* graded) {
  if (!graded || !graded->lift) return std::nullopt;
  return graded->lift->over_nobody;
}
using Measure = std::optional<double> (*)(const Graded*);

Scores collect(const std::vector<ControlledPair>& pairs, std::size_t shown, Measure measure) {
  Scores scores;
  for (const ControlledPair& pair : pairs)
    if (const auto value = measure(pair.graded[shown])) scores.add(*value, pair.cluster);
  return scores;
}

// Own minus control, for both controls at once: corrected together, so that neither is picked.
Json compare(const std::vector<ControlledPair>& pairs, Measure measure, const stats::Scale& scale,
             std::uint64_t seed) {
  Json rows = Json::array();
  std::array<Scores, kShown.size()> differences;
  for (std::size_t shown = 1; shown < kShown.size(); ++shown) {
    std::vector<double> control;
    std::vector<double> own;
    for (const ControlledPair& pair : pairs) {
      const auto first = measure(pair.graded[shown]);
      const auto second = measure(pair.graded[0]);
      if (!first || !second) continue;
      control.push_back(*first);
      own.push_back(*second);
      differences[shown].add(*second - *first, pair.cluster);
    }
    if (control.empty()) continue;
    Json row = describe_difference(control, own, differences[shown].clusters, scale);
    row["first"] = name_of(kShown[shown]);
    row["second"] = name_of(Shown::Own);
    row["p_max_t"] = nullptr;
    rows.push_back(std::move(row));
  }
  // Of whole personas and of whole questions: the larger p-value counts.
  std::vector<double> largest(rows.size(), 0);
  for (const auto way : {&CrossedKeys::personas, &CrossedKeys::questions}) {
    std::vector<CrossedKeys> keys;
    for (const Scores& one : differences) keys.push_back(keys_of(one.clusters));
    std::vector<stats::Comparison> comparisons;
    for (std::size_t i = 0; i < differences.size(); ++i)
      if (!differences[i].values.empty())
        comparisons.push_back({differences[i].values, keys[i].*way});
    const auto tested = stats::max_t_test(comparisons, {.seed = seed});
    if (!tested) return rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
      largest[i] = std::max(largest[i], (*tested)[i].step_down_p_value);
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (find_number(rows[i], "p")) rows[i]["p_max_t"] = largest[i];
  return rows;
}

}  // namespace

void add_controls(const Findings& findings, const ControlTrials& controls, Json& value) {
  if (controls.trials.empty()) return;
  const auto pairs = list_pairs(findings, controls);
  const bool is_read = !findings.plan.reader.empty();
  Json answers = Json::array();
  for (std::size_t shown = 0; shown < kShown.size(); ++shown) {
    OutcomeCounts counts;
    for (const ControlledPair& pair : pairs)
      if (pair.graded[shown]) counts.add(pair.graded[shown]->verdict);
    if (counts.all() == 0) continue;
    Json row = {{"shown", name_of(kShown[shown])},
                {"outcomes", counts.render()},
                {"score", describe_mean(collect(pairs, shown, score_of))}};
    if (is_read) row["lift"] = describe_lift(collect(pairs, shown, lift_of));
    answers.push_back(std::move(row));
  }
  Json found = {{"pairs", pairs.size()},
                {"answers", std::move(answers)},
                {"comparisons", compare(pairs, score_of, stats::kUnitScale, findings.plan.seed)}};
  if (is_read) {
    found["reader"] = findings.plan.reader;
    found["lift_comparisons"] = compare(pairs, lift_of, stats::Scale{}, findings.plan.seed);
  }
  value["controls"] = std::move(found);
}

void add_quotes(const Findings& findings, Json& value) {
  Scores quoting;
  std::map<std::string, std::size_t> by_attribute;
  std::size_t count = 0;
  for (std::size_t i = 0; i < findings.trials.size(); ++i) {
    const Graded& graded = findings.graded[i];
    if (findings.trials[i].mode == Mode::Baseline || graded.answer.fault || graded.answer.refused)
      continue;
    quoting.add(graded.quotes.empty() ? 0 : 1, findings.clustering.of_trial[i]);
    count += graded.quotes.empty() ? 0 : 1;
    for (const std::string& attribute : graded.quotes) ++by_attribute[attribute];
  }
  if (quoting.values.empty()) return;
  value["quotes"] = {{"answers", quoting.values.size()},
                     {"quoting", count},
                     {"rate", describe_mean(quoting)},
                     {"attributes", by_attribute}};
}

}  // namespace personascope::eval::persona_bench
