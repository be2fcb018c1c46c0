// pass@k: how often one of k drafts passes, and pass^k: how often all do.
#include <map>

#include "eval/persona_bench/findings.hpp"
#include "stats/pass_at_k.hpp"

namespace personascope::eval::persona_bench {
namespace {

struct Drafts {
  std::size_t scored = 0;
  std::size_t passed = 0;
  Crossing cluster = 0;
  bool is_whole = true;                      // every draft was scored
  std::optional<std::int64_t> first_passed;  // by its number from 1
};

std::map<std::size_t, Drafts> count_drafts(const Findings& findings) {
  std::map<std::size_t, Drafts> by_pair;
  for (std::size_t i = 0; i < findings.trials.size(); ++i) {
    const Trial& trial = findings.trials[i];
    const core::Verdict& verdict = findings.graded[i].verdict;
    Drafts& drafts = by_pair[trial.pair];
    drafts.cluster = findings.clustering.of_trial[i];
    if (!core::is_scored(verdict)) {
      drafts.is_whole = false;
      continue;
    }
    ++drafts.scored;
    if (verdict.score != 1) continue;
    ++drafts.passed;
    if (!drafts.first_passed || trial.epoch + 1 < *drafts.first_passed)
      drafts.first_passed = trial.epoch + 1;
  }
  return by_pair;
}

using Statistic = Result<double> (*)(std::size_t n, std::size_t c, std::size_t k);

// A point of a curve, over the pairs with at least k drafts that were scored.
Json describe_point(const std::map<std::size_t, Drafts>& by_pair, std::size_t k,
                    Statistic statistic, const stats::Scale& scale) {
  Scores scores;
  for (const auto& [pair, drafts] : by_pair)
    if (drafts.scored >= k)
      if (const auto value = statistic(drafts.scored, drafts.passed, k))
        scores.add(*value, drafts.cluster);
  Json point = describe_mean(scores, scale);
  point["value"] = point["mean"];
  point.erase("mean");
  point["k"] = k;
  return point;
}

// When the first draft passed, for pairs whose drafts were all scored.
Json describe_first_success(const std::map<std::size_t, Drafts>& by_pair, std::size_t k) {
  std::vector<std::size_t> at(k, 0);
  std::size_t never = 0;
  std::size_t whole = 0;
  for (const auto& [pair, drafts] : by_pair) {
    if (!drafts.is_whole) continue;
    ++whole;
    if (drafts.first_passed)
      ++at[static_cast<std::size_t>(*drafts.first_passed) - 1];
    else
      ++never;
  }
  return {{"at_draft", at}, {"never", never}, {"pairs", whole}};
}

}  // namespace

void add_pass_at_k(const Findings& findings, Json& value) {
  const auto by_pair = count_drafts(findings);
  const auto most = static_cast<std::size_t>(findings.plan.k);
  Json at = Json::array();
  Json hat = Json::array();
  for (std::size_t k = 1; k <= most; ++k) {
    at.push_back(describe_point(by_pair, k, stats::pass_at_k, stats::kUnitScale));
    hat.push_back(describe_point(by_pair, k, stats::pass_hat_k, stats::kUnitScale));
  }
  Json attempts =
      describe_point(by_pair, most, stats::attempts_to_success, {1, static_cast<double>(most)});
  attempts["first_success"] = describe_first_success(by_pair, most);
  value["drafts"] = most;
  value["score"] = at[0];
  value["score"]["mean"] = at[0]["value"];
  value["pass_at_k"] = std::move(at);
  value["pass_hat_k"] = std::move(hat);
  value["attempts"] = std::move(attempts);
}

}  // namespace personascope::eval::persona_bench
