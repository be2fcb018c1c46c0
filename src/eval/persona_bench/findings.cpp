#include "eval/persona_bench/findings.hpp"

#include <algorithm>

#include "judge/summary.hpp"
#include "stats/clustered.hpp"
#include "stats/distribution.hpp"
#include "stats/flip_claims.hpp"
#include "stats/flip_power.hpp"
#include "stats/grouping.hpp"
#include "stats/multiplicity.hpp"
#include "stats/score_mean.hpp"
#include "stats/weighted_mean.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr core::VerdictKind kVerdictKinds[] = {
    core::VerdictKind::Score, core::VerdictKind::CannotAssess, core::VerdictKind::Refused,
    core::VerdictKind::Failed};

constexpr std::size_t kFewestForTest = 5;  // clusters

using Ways = std::vector<const std::vector<std::size_t>*>;

Ways ways_of(const CrossedKeys& keys) {
  if (keys.is_one_way) return {&keys.personas};
  return {&keys.personas, &keys.questions};
}

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
  const CrossedKeys keys = keys_of(scores.clusters);
  const auto estimate = keys.is_one_way
                            ? stats::score_mean(scores.values, keys.personas, {.scale = scale})
                            : stats::two_way_score_mean(scores.values, keys.personas,
                                                        keys.questions, {.scale = scale});
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
  value["reasons"] = described["reasons"];
  return value;
}

Json describe_weighted_mean(const Scores& scores, const std::vector<double>& weights) {
  Json value = {{"mean", nullptr}, {"ci95", nullptr}, {"n", scores.values.size()}};
  // By personas or by questions, by those of which there are fewer.
  const CrossedKeys keys = keys_of(scores.clusters);
  const bool by_persona =
      stats::make_grouping(keys.personas).count <= stats::make_grouping(keys.questions).count;
  const auto mean =
      stats::weighted_mean(scores.values, weights, by_persona ? keys.personas : keys.questions,
                           {.scale = stats::kUnitScale});
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
  if (mean->estimate.has(stats::Caveat::NoVariation))
    value["why_no_interval"] = stats::sentence_of(stats::Caveat::NoVariation, "cluster");
  else if (!mean->estimate.interval)
    value["why_no_interval"] =
        fmt::format("an interval needs 5 clusters, and there are {}", mean->estimate.clusters);
  return value;
}

Json describe_difference(const std::vector<double>& first, const std::vector<double>& second,
                         const std::vector<Crossing>& clusters, const stats::Scale& scale) {
  Json value = {{"delta", nullptr}, {"ci95", nullptr}, {"standard_error", nullptr},
                {"df", nullptr},    {"p", nullptr},    {"minimum_detectable", nullptr},
                {"n", first.size()}};
  if (first.empty()) return value;
  const CrossedKeys keys = keys_of(clusters);
  const Ways ways = ways_of(keys);
  std::vector<double> differences;
  for (std::size_t i = 0; i < first.size(); ++i) differences.push_back(second[i] - first[i]);
  const double width = scale.high - scale.low;
  const stats::IntervalOptions options{.scale = {-width, width}};
  const auto mean = keys.is_one_way
                        ? stats::clustered_mean(differences, keys.personas, options)
                        : stats::two_way_mean(differences, keys.personas, keys.questions, options);
  if (!mean) return value;
  const Json described = judge::to_json(*mean);
  value["delta"] = mean->value;
  value["ci95"] = described["interval"];
  value["caveats"] = described["caveats"];
  value["reasons"] = described["reasons"];
  value["standard_error"] = described["standard_error"];
  value["df"] = render(mean->df);
  if (mean->clusters < kFewestForTest) return value;
  std::optional<double> largest;
  stats::FlipInput coarser;  // of the way with fewer clusters
  for (const std::vector<std::size_t>* way : ways) {
    const auto input = stats::make_flip_input(first, second, *way, scale, stats::Weight::Row);
    const auto tested = stats::test_flips({&input}, {});
    if (!tested) return value;
    largest = std::max(largest.value_or(0), tested->front().p_value);
    if (coarser.sizes.empty() || input.sizes.size() < coarser.sizes.size()) coarser = input;
  }
  value["p"] = render(largest);
  if (!mean->interval) return value;
  if (const auto detectable = stats::detectable_by_sign_flip(
          {coarser.sizes, *mean->standard_error, *mean->df, coarser.unseen}))
    value["minimum_detectable"] = *detectable;
  return value;
}

Json describe_lift(const Scores& lifts) {
  Json value = {{"mean", nullptr}, {"ci95", nullptr}, {"n", lifts.values.size()}};
  if (lifts.values.empty()) return value;
  const CrossedKeys keys = keys_of(lifts.clusters);
  const auto estimate = keys.is_one_way
                            ? stats::clustered_mean(lifts.values, keys.personas)
                            : stats::two_way_mean(lifts.values, keys.personas, keys.questions);
  if (!estimate) return value;
  value["mean"] = estimate->value;
  value["ci95"] = judge::to_json(*estimate)["interval"];
  return value;
}

CrossedKeys keys_of(const std::vector<Crossing>& clusters) {
  CrossedKeys keys;
  for (const Crossing& crossing : clusters) {
    keys.personas.push_back(crossing.persona);
    keys.questions.push_back(crossing.question);
    keys.is_one_way = keys.is_one_way && crossing.persona == crossing.question;
  }
  return keys;
}

void add_holm(Json& rows, const std::string& ci) {
  constexpr double kAlpha = 0.05;
  std::vector<double> p_values;
  for (Json& row : rows) {
    row["p_holm"] = nullptr;
    if (const auto p = find_number(row, "p")) p_values.push_back(*p);
  }
  const auto adjusted = stats::holm(p_values);
  if (!adjusted) return;
  const double level = kAlpha / static_cast<double>(p_values.size());
  std::size_t next = 0;
  for (Json& row : rows) {
    if (!find_number(row, "p")) continue;
    row["p_holm"] = (*adjusted)[next++];
    const auto delta = find_number(row, "delta");
    const auto error = find_number(row, "standard_error");
    const auto df = find_number(row, "df");
    const Json* interval = find_member(row, ci);
    if (!delta || !error || !df || !interval || interval->is_null()) continue;
    const double half = -stats::t_quantile(level / 2, *df) * *error;
    row[ci] = {std::max(-1.0, *delta - half), std::min(1.0, *delta + half)};
    const auto detectable =
        stats::minimum_detectable_difference(*error, *df, {.alpha = level, .power = 0.8});
    if (detectable) row["minimum_detectable"] = *detectable;
  }
}

Clustering make_clustering(const std::vector<Trial>& trials) {
  Clustering clustering{"persona and question", {}};
  for (const Trial& trial : trials) clustering.of_trial.emplace_back(trial.persona, trial.question);
  return clustering;
}

}  // namespace personascope::eval::persona_bench
