// What a run found, by its kind.
#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "eval/persona_bench/findings.hpp"
#include "files/text_file.hpp"
#include "judge/summary.hpp"

namespace personascope::eval::persona_bench {
namespace {

// Scores of one mode by (pair, epoch).
using ByItem = std::map<std::pair<std::size_t, int>, std::size_t>;  // to the trial's place

// The mean, were all that has no score a failure, or a success.
Json describe_bounds(const OutcomeCounts& counts, const Scores& scores) {
  const auto all = static_cast<double>(counts.all());
  if (all == 0) return nullptr;
  double sum = 0;
  for (const double value : scores.values) sum += value;
  const double missing = all - static_cast<double>(scores.values.size());
  return {sum / all, (sum + missing) / all};
}

Json describe_mode(const Findings& findings, std::size_t arm) {
  OutcomeCounts counts;
  Scores scores;
  std::vector<double> weights;
  bool is_weighted = false;
  for (std::size_t i = 0; i < findings.trials.size(); ++i) {
    if (findings.trials[i].arm != arm) continue;
    const core::Verdict& verdict = findings.graded[i].verdict;
    counts.add(verdict);
    if (!core::is_scored(verdict)) continue;
    scores.add(verdict.score, findings.clustering.of_trial[i]);
    weights.push_back(findings.data.personas[findings.trials[i].persona].weight);
    is_weighted = is_weighted || weights.back() != weights.front();
  }
  Json score = describe_mean(scores);
  score["bounds"] = describe_bounds(counts, scores);
  // Weights that are all the same change nothing.
  if (is_weighted) score["weighted"] = describe_weighted_mean(scores, weights);
  return {{"mode", name_of(findings.plan.modes[arm])},
          {"outcomes", counts.render()},
          {"score", std::move(score)}};
}

// The items that both modes scored.
Json compare_modes(const Findings& findings, std::size_t first, std::size_t second) {
  ByItem places;
  for (std::size_t i = 0; i < findings.trials.size(); ++i)
    if (findings.trials[i].arm == first && core::is_scored(findings.graded[i].verdict))
      places[{findings.trials[i].pair, findings.trials[i].epoch}] = i;
  std::vector<double> before;
  std::vector<double> after;
  std::vector<Crossing> clusters;
  for (std::size_t i = 0; i < findings.trials.size(); ++i) {
    const Trial& trial = findings.trials[i];
    if (trial.arm != second || !core::is_scored(findings.graded[i].verdict)) continue;
    const auto other = places.find({trial.pair, trial.epoch});
    if (other == places.end()) continue;
    before.push_back(findings.graded[other->second].verdict.score);
    after.push_back(findings.graded[i].verdict.score);
    clusters.push_back(findings.clustering.of_trial[i]);
  }
  Json row = describe_difference(before, after, clusters);
  row["first"] = name_of(findings.plan.modes[first]);
  row["second"] = name_of(findings.plan.modes[second]);
  return row;
}

Result<void> write_curve(const BenchPlan& plan, const Json& value) {
  if (plan.csv_to.empty()) return {};
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(plan.csv_to));
  RETURN_IF_ERROR(file.write("k,cum_score\n"));
  for (const Json& point : value["pass_at_k"])
    if (const auto score = find_number(point, "value"))
      RETURN_IF_ERROR(file.write(fmt::format("{},{}\n", point["k"].get<std::int64_t>(), *score)));
  return file.commit();
}

// Takes the controls out of both lists.
ControlTrials take_controls(std::vector<Trial>& trials, std::vector<Graded>& graded) {
  ControlTrials controls;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].shown != Shown::Own) {
      controls.trials.push_back(std::move(trials[i]));
      controls.graded.push_back(std::move(graded[i]));
      continue;
    }
    if (kept != i) {
      trials[kept] = std::move(trials[i]);
      graded[kept] = std::move(graded[i]);
    }
    ++kept;
  }
  trials.resize(kept);
  graded.resize(kept);
  return controls;
}

std::vector<std::string> list_notes(const BenchPlan& plan, const OutcomeCounts& counts) {
  std::vector<std::string> notes;
  const std::size_t lost = counts.all() - counts.of(core::VerdictKind::Score);
  if (lost > 0)
    notes.push_back(fmt::format(
        "{} of {} answers have no score (refused or failed) and are left out of the means", lost,
        counts.all()));
  if (plan.model == plan.judge)
    notes.push_back(fmt::format("{} judges its own answers, which favours them", plan.judge));
  if (judge::is_tiny(plan.judge)) notes.push_back(judge::describe_tiny(plan.judge));
  return notes;
}

}  // namespace

void add_main(const Findings& findings, Json& value) {
  Json modes = Json::array();
  for (std::size_t arm = 0; arm < findings.plan.modes.size(); ++arm)
    modes.push_back(describe_mode(findings, arm));
  if (modes.size() == 1) {
    value["score"] = modes[0]["score"];
    return;
  }
  Json comparisons = Json::array();
  for (std::size_t second = 1; second < findings.plan.modes.size(); ++second)
    for (std::size_t first = 0; first < second; ++first)
      comparisons.push_back(compare_modes(findings, first, second));
  add_holm(comparisons);
  value["modes"] = std::move(modes);
  value["comparisons"] = std::move(comparisons);
}

Result<Json> summarize(const BenchPlan& plan, const BenchData& data, std::vector<Trial> trials,
                       std::vector<Graded> graded) {
  const ControlTrials controls = take_controls(trials, graded);
  OutcomeCounts counts;
  for (const Graded& one : graded) counts.add(one.verdict);
  const Clustering clustering = make_clustering(trials);
  Json value = {{"evaluation", fmt::format("bench/{}", name_of(plan.kind))},
                {"protocol", "strict"},
                {"model", plan.model},
                {"judge", plan.judge},
                {"critic", name_of(plan.critics.front())},
                {"mode", plan.modes.size() > 1 ? "all" : name_of(plan.modes.front())},
                {"pairing", name_of(plan.pairing)},
                {"pairs", plan.n},
                {"epochs", plan.epochs},
                {"seed", plan.seed},
                {"clustered_by", clustering.by},
                {"scale", {0, 1}},
                {"outcomes", counts.render()},
                {"notes", list_notes(plan, counts)}};
  const Findings findings{plan, data, trials, graded, clustering};
  add_critics(findings, value);
  add_controls(findings, controls, value);
  add_quotes(findings, value);
  add_canaries(findings, value);
  switch (plan.kind) {
    case Kind::Main:
      add_main(findings, value);
      break;
    case Kind::Loo:
      add_loo(findings, value);
      break;
    case Kind::Intersectionality:
      add_main(findings, value);
      add_populations(findings, value);
      break;
    case Kind::PassAtK:
      add_pass_at_k(findings, value);
      RETURN_IF_ERROR(write_curve(plan, value));
      break;
    case Kind::Comparison:
      return fail(ErrorKind::Internal, "a comparison has no trials");
  }
  return value;
}

}  // namespace personascope::eval::persona_bench
