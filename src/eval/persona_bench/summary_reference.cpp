// What a run by the reference protocol found: its accuracy and bootstrap_std, and the same scores
// with clustered intervals beside them.
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "eval/persona_bench/findings.hpp"
#include "eval/persona_bench/reference.hpp"
#include "files/text_file.hpp"
#include "judge/summary.hpp"

namespace personascope::eval::persona_bench {

double bootstrap_std(const std::vector<double>& values, std::uint64_t seed) {
  constexpr int kSamples = 1000;
  if (values.empty()) return 0;
  Random random(seed, "bench bootstrap_std");
  const auto count = static_cast<double>(values.size());
  std::vector<double> means;
  double sum = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    double drawn = 0;
    for (std::size_t i = 0; i < values.size(); ++i) drawn += values[random.below(values.size())];
    means.push_back(drawn / count);
    sum += means.back();
  }
  const double mean = sum / kSamples;
  double squares = 0;
  for (const double one : means) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / kSamples);
}

namespace {

// Left to right, as the package sums.
double plain_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// {"accuracy", "bootstrap_std"} as published, and "score", ours.
Json describe_accuracy(const Scores& scores, std::uint64_t seed) {
  Json value = {{"accuracy", nullptr}, {"bootstrap_std", nullptr}, {"n", scores.values.size()}};
  if (!scores.values.empty()) {
    value["accuracy"] = plain_mean(scores.values);
    value["bootstrap_std"] = bootstrap_std(scores.values, seed);
  }
  value["score"] = describe_mean(scores);
  return value;
}

struct ReferenceFindings {
  const BenchPlan& plan;
  const BenchData& data;
  const std::vector<Trial>& trials;
  const std::vector<ReferenceGraded>& graded;
  Clustering clustering;
};

// The scores of the trials that `wanted` holds for.
template <class Wanted>
Scores select(const ReferenceFindings& findings, Wanted wanted) {
  Scores scores;
  for (std::size_t i = 0; i < findings.trials.size(); ++i)
    if (core::is_scored(findings.graded[i].verdict) && wanted(findings.trials[i]))
      scores.add(findings.graded[i].verdict.score, findings.clustering.of_trial[i]);
  return scores;
}

// Scores of an arm by pair.
std::map<std::size_t, std::size_t> places_of(const ReferenceFindings& findings, std::size_t arm) {
  std::map<std::size_t, std::size_t> places;
  for (std::size_t i = 0; i < findings.trials.size(); ++i)
    if (findings.trials[i].arm == arm && core::is_scored(findings.graded[i].verdict))
      places[findings.trials[i].pair] = i;
  return places;
}

void add_reference_loo(const ReferenceFindings& findings, Json& value) {
  const auto& attributes = findings.plan.attributes;
  const std::size_t none_left = attributes.size() + 1;
  const auto baseline = places_of(findings, none_left);
  Json rows = Json::array();
  for (std::size_t arm = 1; arm <= attributes.size(); ++arm) {
    Json row = describe_accuracy(
        select(findings, [&](const Trial& trial) { return trial.arm == arm; }), findings.plan.seed);
    row["attribute"] = attributes[arm - 1];
    std::vector<double> first;
    std::vector<double> second;
    std::vector<Crossing> clusters;
    for (const auto& [pair, place] : places_of(findings, arm)) {
      const auto other = baseline.find(pair);
      if (other == baseline.end()) continue;
      first.push_back(findings.graded[other->second].verdict.score);
      second.push_back(findings.graded[place].verdict.score);
      clusters.push_back(findings.clustering.of_trial[place]);
    }
    row["over_baseline"] = describe_difference(first, second, clusters);
    rows.push_back(std::move(row));
  }
  value["attributes"] = std::move(rows);
  value["baseline"] = describe_accuracy(
      select(findings, [&](const Trial& trial) { return trial.arm == none_left; }),
      findings.plan.seed);
}

void add_reference_populations(const ReferenceFindings& findings, Json& value) {
  const auto members = match(findings.plan.populations, findings.data.personas);
  Json rows = Json::array();
  for (std::size_t i = 0; i < members.size(); ++i) {
    Json row = describe_accuracy(
        select(findings, [&](const Trial& trial) -> bool { return members[i][trial.persona]; }),
        findings.plan.seed);
    row["name"] = findings.plan.populations[i].name;
    rows.push_back(std::move(row));
  }
  value["populations"] = std::move(rows);
}

// The share of pairs that one of the first k critiques passes.
Result<void> add_reference_curve(const ReferenceFindings& findings, Json& value) {
  Json curve = Json::array();
  std::string csv = "k,cum_score\n";
  for (std::size_t k = 1; k <= static_cast<std::size_t>(findings.plan.k); ++k) {
    std::size_t passed = 0;
    std::size_t all = 0;
    for (const ReferenceGraded& one : findings.graded) {
      if (!core::is_scored(one.verdict)) continue;
      ++all;
      bool passes = false;
      for (std::size_t i = 0; i < std::min(k, one.critiques.size()); ++i)
        passes = passes || (core::is_scored(one.critiques[i]) && one.critiques[i].score == 1);
      passed += passes ? 1 : 0;
    }
    if (all == 0) break;
    const double share = static_cast<double>(passed) / static_cast<double>(all);
    curve.push_back({{"k", k}, {"value", share}, {"n", all}});
    csv += fmt::format("{},{}\n", k, share);
  }
  value["drafts"] = findings.plan.k;
  value["cum_score"] = std::move(curve);
  if (findings.plan.csv_to.empty()) return {};
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(findings.plan.csv_to));
  RETURN_IF_ERROR(file.write(csv));
  return file.commit();
}

// What the published numbers are, and are not.
std::vector<std::string> list_oddities(const BenchPlan& plan) {
  std::vector<std::string> notes{
      "bootstrap_std treats all items as independent; the interval of the score does not"};
  if (plan.prompts.empty())
    notes.push_back("the prompts are our own: name the published ones with `prompts`");
  if (plan.kind == Kind::Loo)
    notes.push_back(
        "as published, the critic sees the reduced persona, so a difference can come from the "
        "answers or from what the critic sees");
  if (plan.kind == Kind::PassAtK)
    notes.push_back(
        "as published, drafts are written in one growing conversation, and the last one is judged "
        "once for each draft, with that draft in place of the question: this is not pass@k");
  if (judge::is_tiny(plan.judge)) notes.push_back(judge::describe_tiny(plan.judge));
  return notes;
}

}  // namespace

Result<Json> summarize_reference(const BenchPlan& plan, const BenchData& data,
                                 const std::vector<Trial>& trials,
                                 const std::vector<ReferenceGraded>& graded) {
  OutcomeCounts counts;
  for (const ReferenceGraded& one : graded) counts.add(one.verdict);
  const ReferenceFindings findings{plan, data, trials, graded, make_clustering(trials)};
  Json value = {{"evaluation", fmt::format("bench/{}", name_of(plan.kind))},
                {"protocol", "reference"},
                {"model", plan.model},
                {"judge", plan.judge},
                {"parser", plan.parser},
                {"prompts", plan.prompts.empty() ? Json("our own") : Json(plan.prompts)},
                {"mode", name_of(plan.modes.front())},
                {"pairs", plan.n},
                {"clustered_by", findings.clustering.by},
                {"outcomes", counts.render()},
                {"notes", list_oddities(plan)}};
  value.update(describe_accuracy(select(findings, [](const Trial&) { return true; }), plan.seed));
  if (plan.kind == Kind::Loo) add_reference_loo(findings, value);
  if (plan.kind == Kind::Intersectionality) add_reference_populations(findings, value);
  if (plan.kind == Kind::PassAtK) RETURN_IF_ERROR(add_reference_curve(findings, value));
  return value;
}

}  // namespace personascope::eval::persona_bench
