#include "eval/persona_bench/findings.hpp"

#include <set>

#include "judge/summary.hpp"
#include "stats/clustered.hpp"
#include "stats/multiplicity.hpp"
#include "stats/paired.hpp"
#include "stats/score_mean.hpp"
#include "stats/weighted_mean.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr core::VerdictKind kVerdictKinds[] = {
    core::VerdictKind::Score, core::VerdictKind::CannotAssess, core::VerdictKind::Refused,
    core::VerdictKind::Failed};

Json render(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace

std::size_t OutcomeCounts::of(core::VerdictKind kind) const {
  const auto found = counts_.find(kind);
  return found == counts_.end() ? 0 : found->second;
}

std::size_t OutcomeCounts::all() const {
  std::size_t sum = 0;
  for (const auto& [kind, count] : counts_) sum += count;
  return sum;
}

Json OutcomeCounts::render() const {
  Json value = Json::object();
  for (const core::VerdictKind kind : kVerdictKinds)
    value[kind == core::VerdictKind::Score ? "scored" : std::string(core::name_of(kind))] =
        of(kind);
  return value;
}

Json describe_mean(const Scores& scores, const stats::Scale& scale) {
  Json value = {{"mean", nullptr}, {"ci95", nullptr}, {"n", scores.values.size()}};
  if (scores.values.empty()) {
    value["why_no_mean"] = "nothing was scored";
    return value;
  }
  const auto estimate = stats::score_mean(scores.values, scores.clusters, {.scale = scale});
  if (!estimate) {
    value["why_no_mean"] = estimate.error().message;
    return value;
  }
  const Json described = judge::to_json(*estimate);
  value["mean"] = estimate->value;
  value["ci95"] = described["interval"];
  value["clusters"] = estimate->clusters;
  value["method"] = estimate->method;
  value["caveats"] = described["caveats"];
  return value;
}

Json describe_weighted_mean(const Scores& scores, const std::vector<double>& weights) {
  Json value = {{"mean", nullptr}, {"ci95", nullptr}, {"n", scores.values.size()}};
  const auto mean =
      stats::weighted_mean(scores.values, weights, scores.clusters, {.scale = stats::kUnitScale});
  if (!mean) {
    value["why_no_mean"] =
        scores.values.empty() ? std::string("nothing was scored") : mean.error().message;
    return value;
  }
  const Json described = judge::to_json(mean->estimate);
  value["mean"] = mean->estimate.value;
  value["ci95"] = described["interval"];
  value["clusters"] = mean->estimate.clusters;
  value["effective_n"] = mean->effective_n;
  value["method"] = mean->estimate.method;
  value["caveats"] = described["caveats"];
  if (!mean->estimate.interval)
    value["why_no_interval"] =
        fmt::format("an interval needs 5 clusters, and there are {}", mean->estimate.clusters);
  return value;
}

Json describe_difference(const std::vector<double>& first, const std::vector<double>& second,
                         const std::vector<std::size_t>& clusters, const stats::Scale& scale) {
  Json value = {{"delta", nullptr},
                {"ci95", nullptr},
                {"p", nullptr},
                {"minimum_detectable", nullptr},
                {"n", first.size()}};
  if (first.empty()) return value;
  const auto compared = stats::compare_paired(first, second, clusters, {.scale = scale});
  if (!compared) return value;
  const Json described = judge::to_json(compared->difference);
  value["delta"] = compared->difference.value;
  value["ci95"] = described["interval"];
  value["p"] = render(compared->p_value);
  value["minimum_detectable"] = render(compared->minimum_detectable);
  value["caveats"] = described["caveats"];
  return value;
}

Json describe_lift(const Scores& lifts) {
  Json value = {{"mean", nullptr}, {"ci95", nullptr}, {"n", lifts.values.size()}};
  if (lifts.values.empty()) return value;
  const auto estimate = stats::clustered_mean(lifts.values, lifts.clusters);
  if (!estimate) return value;
  value["mean"] = estimate->value;
  value["ci95"] = judge::to_json(*estimate)["interval"];
  return value;
}

void add_holm(Json& rows) {
  std::vector<double> p_values;
  for (Json& row : rows) {
    row["p_holm"] = nullptr;
    if (const auto p = find_number(row, "p")) p_values.push_back(*p);
  }
  const auto adjusted = stats::holm(p_values);
  if (!adjusted) return;
  std::size_t next = 0;
  for (Json& row : rows)
    if (find_number(row, "p")) row["p_holm"] = (*adjusted)[next++];
}

Clustering make_clustering(const std::vector<Trial>& trials) {
  std::set<std::size_t> personas;
  std::set<std::size_t> questions;
  for (const Trial& trial : trials) {
    personas.insert(trial.persona);
    questions.insert(trial.question);
  }
  const bool by_persona = personas.size() <= questions.size();
  Clustering clustering{by_persona ? "persona" : "question", {}};
  for (const Trial& trial : trials)
    clustering.of_trial.push_back(by_persona ? trial.persona : trial.question);
  return clustering;
}

}  // namespace personascope::eval::persona_bench
