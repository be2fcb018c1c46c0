// What a run of the bench was told: all that `resume` needs to do the same again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/persona_bench/options.hpp"
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

// How the critic comes to its verdict.
enum class CriticKind {
  Single,  // one call, which stages a debate and closes it
  Debate,  // two speakers in turn, then a closing judge: a call each
  Direct,  // a plain verdict, without a debate
};
// "single", "debate", "direct".
std::string_view name_of(CriticKind kind);
std::optional<CriticKind> find_critic_kind(std::string_view name);

// The options as resolved (files and models by their whole names, `judge` empty if there is none),
// and what was derived from them.
struct BenchPlan : BenchOptions {
  Kind kind = Kind::Main;
  std::string folder;                                   // prompts, rubrics and forms
  std::string data_sha256;                              // of all that was read
  std::vector<CriticKind> critics{CriticKind::Single};  // the first gives the scores
  std::vector<Mode> modes{Mode::OutputOnly};            // several for main only
  std::int64_t n = 300;                                 // pairs of persona and question
  std::vector<Population> populations;
  // Pairs that are answered again with no persona and with another's, of the `n`.
  std::int64_t controls = 0;
  std::string prompts_sha256;   // of the reference protocol's prompts
  bool limits_answers = false;  // sends max_tokens, which the published package does not
  std::string csv_to;           // the curve as `k,cum_score`; empty: nowhere
};

Json to_json(const BenchPlan& plan);
// Fails as Invalid if it is not a plan of the bench, or not one that could be carried out.
Result<BenchPlan> parse_bench_plan(const Json& value);

}  // namespace personascope::eval::persona_bench
