// A study: a YAML file that names models, judges, settings and evaluations. Every combination is a
// run; its options have the names that they have everywhere (core/option.hpp).
//
//   name: release-7
//   models: [openai/gpt-4o-mini, {model: vllm/my-bot, base_url: "http://localhost:8000/v1"}]
//   judges: [openai/gpt-4o, [openai/gpt-4o, anthropic/claude-sonnet-4]]     # the second: a panel
//   settings: [{temperature: 0}, {temperature: 1}]
//   evaluations:
//     gym run: {limit: 10, gates: {fail_under: 3.5}}
//     bench main:
//   max_cost: 20
//
// Every run has the study's name as a tag, and one of the form NAME#KEY, where KEY is a hash of
// command and options: by it a study that was stopped finds its runs again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/catalog.hpp"
#include "app/gates.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option_table.hpp"

namespace personascope::app {

// One run of a study.
struct StudyCell {
  std::string command;  // "gym run"
  Json given;           // its options, without tags and the study's limits
  std::string name;     // "gym run, openai/gpt-4o-mini, temperature 0"
  std::string key;      // 12 hex digits
  RunGates gates;
};

// What the study says of itself.
struct StudyHead {
  std::string name;  // empty: a study that is not resumed, of several models on a command line
  std::vector<std::string> tags;
  std::optional<std::string> output;   // a folder for the items of every run
  std::optional<double> max_cost_usd;  // these three over all runs together
  std::optional<std::int64_t> max_calls;
  std::optional<std::int64_t> max_tokens;
};

struct Study {
  StudyHead head;
  std::vector<StudyCell> cells;  // models of one evaluation, judge and setting after each other
};

const core::OptionTable<StudyHead>& study_options();
const core::OptionTable<RunGates>& gate_options();

// Fails as NotFound, or as Invalid with file and line: a key that does not exist, a wrong value, an
// option that no evaluation of the study has, nothing to run.
Result<Study> load_study(const std::string& path);
// The same of a text; `name` is what messages call it.
Result<Study> parse_study(const std::string& text, const std::string& name);

// The command with each of the models in place of its option `model`; `given` has the rest.
Study make_study_of_models(const Command& command, const Json& given,
                           const std::vector<std::string>& models, const RunGates& gates);

// The identity tag of a run: "release-7#3fa94c01d2e4".
std::string cell_tag_of(const Study& study, const StudyCell& cell);

// A JSON schema of the file, for editors.
Json make_study_schema();
// A study with comments, which a user changes.
std::string_view example_study();
Result<void> save_example_study(const std::string& path);

}  // namespace personascope::app
