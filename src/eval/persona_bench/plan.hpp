// What a run of the bench was told: all that `resume` needs to do the same again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/persona_bench/population.hpp"

namespace personascope::eval::persona_bench {

enum class Kind { Main, Loo, Intersectionality, PassAtK, Comparison };
// "main", "loo", "intersectionality", "pass-at-k", "comparison".
std::string_view name_of(Kind kind);
std::optional<Kind> find_kind(std::string_view name);

// What the model is shown, and what it writes before the answer.
enum class Mode {
  Baseline,            // no persona
  OutputOnly,          // the persona; the answer alone
  ChainOfThought,      // the persona; thoughts, then the answer
  DemographicSummary,  // the persona; what matters of it, then the answer
};
// "baseline", "output_only", "chain_of_thought", "demographic_summary".
std::string_view name_of(Mode mode);
std::optional<Mode> find_mode(std::string_view name);

enum class Protocol {
  Strict,     // one answer a verdict, outcomes counted: ours
  Reference,  // the calls and the arithmetic of the published package
};
std::string_view name_of(Protocol protocol);

// Which question goes with which persona.
enum class Pairing {
  Index,   // the i-th with the i-th, as the published package has it; either begins anew at its end
  Random,  // likewise, after both were shuffled by the seed
};
std::string_view name_of(Pairing pairing);

// How the critic comes to its verdict.
enum class CriticKind {
  Single,  // one call, which stages a debate and closes it
  Debate,  // two speakers in turn, then a closing judge: a call each
  Direct,  // a plain verdict, without a debate
};
// "single", "debate", "direct".
std::string_view name_of(CriticKind kind);
std::optional<CriticKind> find_critic_kind(std::string_view name);

struct BenchPlan {
  Kind kind = Kind::Main;
  Protocol protocol = Protocol::Strict;
  std::string folder;                                   // prompts, rubrics and forms
  std::string personas;                                 // files
  std::string questions;                                // of a comparison: its pairs
  std::string data_sha256;                              // of all that was read
  std::string model;                                    // under test
  std::string judge;                                    // the critic; may be empty for a comparison
  std::vector<CriticKind> critics{CriticKind::Single};  // the first gives the scores

  std::vector<Mode> modes{Mode::OutputOnly};  // several for main only
  Pairing pairing = Pairing::Index;
  std::int64_t n = 300;  // pairs of persona and question
  std::int64_t epochs = 1;
  std::uint64_t seed = 0;
  std::int64_t k = 16;  // drafts, of pass-at-k

  std::vector<std::string> attributes;  // to leave out one at a time
  std::vector<Population> populations;

  // Pairs that are answered again with no persona and with another's, of the `n`.
  std::int64_t controls = 0;
  std::int64_t canaries = 0;  // pairs whose critics also judge answers that deserve nothing
  std::string reader;         // reads how likely answers are; empty: nobody

  // The reference protocol's alone.
  std::string parser;           // puts texts into their form
  std::string prompts;          // a folder with other words than our own; empty: none
  std::string prompts_sha256;   // of them
  bool limits_answers = false;  // sends max_tokens, which the package does not

  std::optional<double> temperature = 1;  // nothing: the provider's own
  std::int64_t max_tokens = 1500;
  std::int64_t judge_max_tokens = 1500;

  std::string csv_to;  // the curve as `k,cum_score`; empty: nowhere
};

Json to_json(const BenchPlan& plan);
// Fails as Invalid if it is not a plan of the bench.
Result<BenchPlan> parse_bench_plan(const Json& value);

}  // namespace personascope::eval::persona_bench
