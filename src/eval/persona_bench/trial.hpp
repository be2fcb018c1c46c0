// A trial: one answer to one question for one persona, and the critic's verdict on it. What main,
// loo, intersectionality and pass-at-k are made of; they differ in which trials there are and how
// they are summed up.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/verdict.hpp"
#include "eval/persona_bench/answering.hpp"
#include "eval/persona_bench/bench_data.hpp"
#include "eval/persona_bench/plan.hpp"

namespace personascope::eval::persona_bench {

struct Trial {
  std::string id;           // "u0001/q001/output_only", with "#2" for the second epoch or draft
  std::size_t pair = 0;     // of persona and question, by its place in the run
  std::size_t persona = 0;  // places in the data
  std::size_t question = 0;
  // What distinguishes the trials of a pair: the mode's place in the plan, or in loo 0 for the
  // whole persona, i for the i-th attribute left out, and one more for all of them left out.
  std::size_t arm = 0;
  int epoch = 0;  // or the draft
  Mode mode = Mode::OutputOnly;
  std::vector<std::string> without;  // attributes that the model is not shown
};

struct Graded {
  Answer answer;
  core::Verdict verdict;               // the first critic's, which gives the scores
  std::vector<core::Verdict> further;  // of the plan's other critics, on the same answer
};

// All trials of the plan, in order. Fails as Invalid if it wants more pairs than there are.
Result<std::vector<Trial>> list_trials(const BenchPlan& plan, const BenchData& data);

// {"evaluation", "model", "judge", "mode", "outcomes", …, "notes"} of all trials, each with how it
// ended: what docs/bench.md says of the plan's kind.
Result<Json> summarize(const BenchPlan& plan, const BenchData& data,
                       const std::vector<Trial>& trials, const std::vector<Graded>& graded);

}  // namespace personascope::eval::persona_bench
