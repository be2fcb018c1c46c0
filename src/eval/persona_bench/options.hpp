// The options of the bench: what a user can say about a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/option_table.hpp"

namespace personascope::eval::persona_bench {

enum class Protocol {
  Strict,     // one answer a verdict, outcomes counted: ours
  Reference,  // the calls and the arithmetic of the published package
};
std::string_view name_of(Protocol protocol);

// Which question goes with which persona.
enum class Pairing {
  Index,   // the i-th with the i-th, as the published package has it; either begins anew at its end
  Random,  // the same, after both were shuffled by the seed
};
std::string_view name_of(Pairing pairing);

// Paths are as the user gave them; a text that is empty was not given.
struct BenchOptions {
  std::string model;           // under test
  std::string deployment;      // of the model under test; a part of its answers' keys
  bool fresh_answers = false;  // ask the model under test again, and nobody else
  std::string judge;           // the critic; "none" for a comparison without open answers
  std::vector<std::string> critic_names;       // single, debate, direct, or all
  std::optional<std::string> controls_wanted;  // pairs answered again: "all", "none" or a number
  std::int64_t canaries = 2;                   // pairs whose critics also judge canary answers
  std::string reader;                          // reads how likely answers are; "none"
  Protocol protocol = Protocol::Strict;
  std::string prompts;  // of the reference protocol: a folder with other words than our own
  std::string parser;   // of the reference protocol: puts texts into their form

  std::vector<std::string> attributes;  // to leave out one at a time
  std::optional<std::string> attributes_file;
  std::vector<std::string> population_texts;
  std::optional<std::string> populations_file;
  std::int64_t k = 16;             // drafts, of pass-at-k
  std::optional<std::string> csv;  // a file for the curve of pass-at-k

  std::string mode;                          // or "all": the four, paired
  std::string personas;                      // files
  std::string questions;                     // of a comparison: its pairs
  std::optional<std::int64_t> data_version;  // of our own personas and questions
  Pairing pairing = Pairing::Index;
  std::optional<std::int64_t> limit;  // pairs of persona and question
  std::uint64_t seed = 0;
  std::optional<double> temperature;  // of the answers; nothing: the provider's own
  std::int64_t max_tokens = 1500;
  std::int64_t judge_max_tokens = 1500;
  std::int64_t epochs = 1;
};

// The stages are "main", "loo", "intersectionality", "pass-at-k" and "comparison".
const core::OptionTable<BenchOptions>& bench_options();

}  // namespace personascope::eval::persona_bench
