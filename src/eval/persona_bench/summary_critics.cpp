// Several critics on the same answers: how often each passes them, and how they differ.
#include <map>

#include "eval/persona_bench/findings.hpp"

namespace personascope::eval::persona_bench {
namespace {

const core::Verdict& verdict_of(const Graded& graded, std::size_t critic) {
  return critic == 0 ? graded.verdict : graded.further[critic - 1];
}

Json describe_critic(const Findings& findings, std::size_t critic) {
  OutcomeCounts counts;
  Scores scores;
  for (std::size_t i = 0; i < findings.graded.size(); ++i) {
    const core::Verdict& verdict = verdict_of(findings.graded[i], critic);
    counts.add(verdict);
    if (core::is_scored(verdict)) scores.add(verdict.score, findings.clustering.of_trial[i]);
  }
  return {{"critic", name_of(findings.plan.critics[critic])},
          {"outcomes", counts.render()},
          {"score", describe_mean(scores)}};
}

// The answers that both have scored.
Json compare_critics(const Findings& findings, std::size_t first, std::size_t second) {
  std::vector<double> before;
  std::vector<double> after;
  std::vector<Crossing> clusters;
  std::size_t alike = 0;
  for (std::size_t i = 0; i < findings.graded.size(); ++i) {
    const core::Verdict& one = verdict_of(findings.graded[i], first);
    const core::Verdict& other = verdict_of(findings.graded[i], second);
    if (!core::is_scored(one) || !core::is_scored(other)) continue;
    before.push_back(one.score);
    after.push_back(other.score);
    clusters.push_back(findings.clustering.of_trial[i]);
    if (one.score == other.score) ++alike;
  }
  Json row = describe_difference(before, after, clusters);
  row["first"] = name_of(findings.plan.critics[first]);
  row["second"] = name_of(findings.plan.critics[second]);
  row["agree"] = before.empty()
                     ? Json(nullptr)
                     : Json(static_cast<double>(alike) / static_cast<double>(before.size()));
  return row;
}

}  // namespace

void add_critics(const Findings& findings, Json& value) {
  const std::size_t count = findings.plan.critics.size();
  if (count < 2) return;
  Json critics = Json::array();
  Json comparisons = Json::array();
  for (std::size_t second = 0; second < count; ++second) {
    critics.push_back(describe_critic(findings, second));
    for (std::size_t first = 0; first < second; ++first)
      comparisons.push_back(compare_critics(findings, first, second));
  }
  add_holm(comparisons);
  value["critics"] = std::move(critics);
  value["critic_comparisons"] = std::move(comparisons);
}

void add_canaries(const Findings& findings, Json& value) {
  const auto& critics = findings.plan.critics;
  std::vector<std::size_t> judged(critics.size(), 0);
  std::vector<std::size_t> scored(critics.size(), 0);
  std::vector<std::map<std::string, std::size_t>> passed(critics.size());
  for (const Graded& graded : findings.graded)
    for (const CanaryVerdict& one : graded.canaries) {
      ++judged[one.critic];
      if (!core::is_scored(one.verdict)) continue;
      ++scored[one.critic];
      if (one.verdict.score == 1) ++passed[one.critic][one.canary];
    }
  Json rows = Json::array();
  for (std::size_t i = 0; i < critics.size(); ++i) {
    if (judged[i] == 0) continue;
    std::size_t count = 0;
    for (const auto& [name, times] : passed[i]) count += times;
    rows.push_back({{"critic", name_of(critics[i])},
                    {"judged", judged[i]},
                    {"scored", scored[i]},
                    {"passed", count},
                    {"mean", nullptr},
                    {"by_canary", passed[i]}});
    if (scored[i] > 0)
      rows.back()["mean"] = static_cast<double>(count) / static_cast<double>(scored[i]);
    if (count > 0)
      value["notes"].push_back(
          fmt::format("the {} critic passed {} of {} canaries (worthless test answers); a sound "
                      "critic passes none",
                      name_of(critics[i]), count, judged[i]));
  }
  if (!rows.empty()) value["canaries"] = std::move(rows);
}

}  // namespace personascope::eval::persona_bench
