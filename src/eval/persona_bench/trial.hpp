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
#include "eval/persona_bench/lift.hpp"
#include "eval/persona_bench/plan.hpp"

namespace personascope::eval::persona_bench {

// Whose persona the model is shown. The critic sees the pair's own in any case: an answer that fits
// without it did not need it.
enum class Shown { Own, Nobodys, Anothers };
// "own_persona", "no_persona", "another_persona".
std::string_view name_of(Shown shown);

struct Trial {
  std::string id;           // "ps-0001/q001/output_only", with "#2" for the second epoch or draft
  std::size_t pair = 0;     // of persona and question, by its place in the run
  std::size_t persona = 0;  // places in the data
  std::size_t question = 0;
  // What distinguishes the trials of a pair: the mode's place in the plan, or in loo 0 for the
  // whole persona, i for the i-th attribute left out, and one more for all of them left out.
  std::size_t arm = 0;
  int epoch = 0;  // or the draft
  Mode mode = Mode::OutputOnly;
  std::vector<std::string> without;  // attributes that the model is not shown
  Shown shown = Shown::Own;          // all else is a control
  std::size_t other = 0;             // the persona of Anothers
  bool has_canaries = false;         // its critics judge canaries too
  bool has_controls = false;         // of the pair's own trial that controls are compared with
};

// What a critic made of an answer that deserves nothing.
struct CanaryVerdict {
  std::string canary;
  std::size_t critic = 0;  // its place in the plan
  core::Verdict verdict;
};

struct Graded {
  Answer answer;
  core::Verdict verdict;               // the first critic's, which gives the scores
  std::vector<core::Verdict> further;  // of the plan's other critics, on the same answer
  std::vector<CanaryVerdict> canaries;
  std::vector<std::string> quotes;  // attributes that the answer repeats word for word
  std::optional<Lift> lift;         // where it was read
  std::optional<Error> unread;      // why it could not be
};

// How many different pairs of persona and question there are, if both lists begin anew at their
// end.
std::int64_t count_pairs(const BenchData& data);

// All trials of the plan, in order. No question is asked of a persona that it does not suit. Fails
// as Invalid if the plan wants more pairs than there are.
Result<std::vector<Trial>> list_trials(const BenchPlan& plan, const BenchData& data);

// {"evaluation", "model", "judge", "mode", "outcomes", …, "notes"} of all trials, each with how it
// ended: what docs/bench.md says of the plan's kind.
Result<Json> summarize(const BenchPlan& plan, const BenchData& data, std::vector<Trial> trials,
                       std::vector<Graded> graded);

}  // namespace personascope::eval::persona_bench
