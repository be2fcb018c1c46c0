// What a comparison found.
#include <map>

#include "eval/persona_bench/comparison.hpp"
#include "eval/persona_bench/findings.hpp"
#include "judge/summary.hpp"

namespace personascope::eval::persona_bench {
namespace {

// The three askings of a pair in one epoch.
struct Triple {
  std::array<const Asked*, 2> users{};
  const Asked* control = nullptr;
  std::size_t pair = 0;
};

std::vector<Triple> list_triples(const std::vector<Asking>& askings,
                                 const std::vector<Asked>& asked) {
  std::map<std::pair<std::size_t, int>, Triple> triples;
  for (std::size_t i = 0; i < askings.size(); ++i) {
    Triple& triple = triples[{askings[i].pair, askings[i].epoch}];
    triple.pair = askings[i].pair;
    (askings[i].user ? triple.users[*askings[i].user] : triple.control) = &asked[i];
  }
  std::vector<Triple> list;
  for (const auto& [place, triple] : triples) list.push_back(triple);
  return list;
}

bool is_right_answer(const Asked& asked) {
  return asked.verdict.score >= 0.5;
}

// Swapping the users must swap the right answers.
Json describe_consistency(const std::vector<ComparisonPair>& pairs,
                          const std::vector<Triple>& triples) {
  Scores both_right;
  Scores same_answer;
  Scores swapped;
  for (const Triple& triple : triples) {
    const Asked& first = *triple.users[0];
    const Asked& second = *triple.users[1];
    if (!core::is_scored(first.verdict) || !core::is_scored(second.verdict)) continue;
    const ComparisonPair& pair = pairs[triple.pair];
    both_right.add(is_right_answer(first) && is_right_answer(second) ? 1 : 0, triple.pair);
    if (pair.kind == GoldKind::Open) continue;  // that would take another verdict
    same_answer.add(is_same_answer(first.answer, second.answer) ? 1 : 0, triple.pair);
    swapped.add(*is_right(pair, 1, first.answer) && *is_right(pair, 0, second.answer) ? 1 : 0,
                triple.pair);
  }
  return {{"both_right", describe_mean(both_right)},
          {"same_answer", describe_mean(same_answer)},
          {"swapped", describe_mean(swapped)}};
}

}  // namespace

Json summarize_comparison(const BenchPlan& plan, const std::vector<ComparisonPair>& pairs,
                          const std::vector<Asking>& askings, const std::vector<Asked>& asked) {
  OutcomeCounts counts;
  Scores all;
  Scores control;
  std::map<GoldKind, Scores> by_kind;
  for (std::size_t i = 0; i < askings.size(); ++i) {
    const core::Verdict& verdict = asked[i].verdict;
    counts.add(verdict);
    if (!core::is_scored(verdict)) continue;
    (askings[i].user ? all : control).add(verdict.score, askings[i].pair);
    if (askings[i].user) by_kind[pairs[askings[i].pair].kind].add(verdict.score, askings[i].pair);
  }
  const std::vector<Triple> triples = list_triples(askings, asked);
  std::vector<double> without;
  std::vector<double> with;
  std::vector<Crossing> clusters;
  for (const Triple& triple : triples) {
    const core::Verdict& first = triple.users[0]->verdict;
    const core::Verdict& second = triple.users[1]->verdict;
    if (!core::is_scored(first) || !core::is_scored(second) ||
        !core::is_scored(triple.control->verdict))
      continue;
    without.push_back(triple.control->verdict.score);
    with.push_back((first.score + second.score) / 2);
    clusters.push_back(triple.pair);
  }
  Json kinds = Json::array();
  for (const auto& [kind, scores] : by_kind) {
    Json row = describe_mean(scores);
    row["kind"] = name_of(kind);
    kinds.push_back(std::move(row));
  }
  Json notes = Json::array();
  if (judge::is_tiny(plan.judge)) notes.push_back(judge::describe_tiny(plan.judge));
  if (plan.judge.empty())
    notes.push_back("there is no judge, so pairs with an open answer were left out");
  const std::size_t lost = counts.all() - counts.of(core::VerdictKind::Score);
  if (lost > 0)
    notes.push_back(
        fmt::format("{} of {} answers have no score and are left out", lost, counts.all()));
  return {{"evaluation", "bench/comparison"},
          {"protocol", "strict"},
          {"model", plan.model},
          {"judge", plan.judge.empty() ? Json(nullptr) : Json(plan.judge)},
          {"pairs", pairs.size()},
          {"epochs", plan.epochs},
          {"outcomes", counts.render()},
          {"score", describe_mean(all)},
          {"kinds", std::move(kinds)},
          {"consistency", describe_consistency(pairs, triples)},
          {"control", describe_mean(control)},
          {"lift", describe_difference(without, with, clusters)},
          {"notes", std::move(notes)}};
}

}  // namespace personascope::eval::persona_bench
