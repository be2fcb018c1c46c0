// The bench, as people ask for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/evaluation.hpp"
#include "eval/persona_bench/plan.hpp"
#include "run/estimate.hpp"
#include "run/options.hpp"
#include "run/session.hpp"

namespace personascope::app {

using BenchKind = eval::persona_bench::Kind;

struct BenchCommand {
  BenchKind kind = BenchKind::Main;
  bool reference = false;              // the published package's calls and arithmetic
  std::optional<std::string> parser;   // with it: who puts texts into form; nothing: gpt-4o
  std::optional<std::string> prompts;  // with it: a folder of its prompts; nothing: our own

  std::string model;
  std::optional<std::string> base_url;  // of the model under test
  std::string judge;                    // "none": nobody, for a comparison
  std::vector<std::string> critics;     // single, debate, direct, or all; empty: single
  std::string mode;                     // "all": the four, paired; empty: $GENERATE_MODE, or
                                        // output_only

  std::optional<std::string> personas;   // files; nothing: our own
  std::optional<std::string> questions;  // of a comparison: its pairs
  bool random_pairs = false;

  std::vector<std::string> attributes;          // to leave out; empty: those of the file, or all
  std::optional<std::string> attributes_file;   // {"attributes": […]}; nothing: $LOO_JSON
  std::vector<std::string> populations;         // expressions
  std::optional<std::string> populations_file;  // nothing: $INTERSECTION_JSON

  std::optional<std::string> controls;   // "all", "none" or a number of pairs; nothing: 20
  std::optional<std::int64_t> canaries;  // pairs; nothing: 2
  std::optional<std::string> reader;     // "none", like nothing: no likelihoods

  // What is not given has the plan's default.
  std::optional<std::int64_t> limit;
  std::optional<std::int64_t> epochs;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> k;
  std::optional<double> temperature;
  std::optional<std::int64_t> max_tokens;

  std::optional<std::string> csv;     // a file for the curve of pass-at-k
  std::optional<std::string> output;  // lines of items

  run::EngineOptions engine;
};

// The whole name of a model; the published package takes a bare one as OpenAI's.
std::string name_bench_model(const std::string& name);

// Checks everything that can be checked before anything is spent, then runs.
Result<run::RunSummary> start_bench(Context& context, const BenchCommand& command,
                                    const Listener& listener);

// What it would take, by model and role. Sends nothing and stores nothing.
Result<std::vector<run::Estimate>> estimate_bench(Context& context, const BenchCommand& command);

// The evaluation of a stored plan. Fails as Invalid if it is none of it.
Result<EvaluationSetup> load_bench(const Json& stored);

}  // namespace personascope::app
