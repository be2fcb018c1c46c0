// What the commands share: their common flags, exit codes, and the way results and errors are
// shown.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.hpp"
#include "app/run_types.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option.hpp"

namespace personascope::cli {

// Documented in docs/cli.md.
inline constexpr int kDone = 0;
inline constexpr int kNotDone = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kThresholdMissed = 100;
inline constexpr int kInterrupted = 130;

struct CommonFlags {
  app::ContextOptions context;
  bool json = false;
  bool quiet = false;
  std::vector<core::OptionSpec> options{};  // of the command, for messages that name them
};

// Adds `name` with `help`; the flag --max-cost is also the variable PERSONASCOPE_MAX_COST.
template <class Value>
CLI::Option* add_flag_with_value(CLI::App& command, const std::string& name, Value& value,
                                 const std::string& help);
void add_common_flags(CLI::App& command, CommonFlags& flags);
// The run that the command is about, as its first argument.
void add_run_argument(CLI::App& command, std::int64_t& run);
// Which model answers, and where it is.
void add_model_flags(CLI::App& command, std::string& model, std::optional<std::string>& base_url);
// The flags that decide how calls are made.
void add_engine_flags(CLI::App& command, app::EngineOptions& options);

// Which column clusters the rows of a table, and what the scores' scale is.
void add_table_flags(CLI::App& command, std::optional<std::string>& cluster,
                     std::optional<std::string>& scale);
// How intervals by drawing anew are made.
void add_resampling_flags(CLI::App& command, double& confidence, std::uint64_t& seed,
                          unsigned& threads);
// A number strictly between the two.
CLI::Validator make_open_range(double low, double high);
// A number between the two, or one of them.
CLI::Validator make_closed_range(double low, double high);

// A command: its flags, and what it does, which returns the exit code.
CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& summary,
                      const std::string& examples, std::function<int()> action);

// A word with commands below it.
CLI::App* add_group(CLI::App& program, const std::string& name, const std::string& summary,
                    const std::string& examples);

// On standard error, `who` in red: "stopped: …".
void print_message(const std::string& who, const std::string& text);

// Says what went wrong on standard error (and, with --json, as a document on standard output) and
// returns the exit code for it.
int report(const Error& error, const CommonFlags& flags);
void print_json(const Json& value);
// Shows what a command worked out, as a document with --json, else by `print`; or its error.
// Returns the exit code.
template <class Value, class Print>
int show(const Result<Value>& result, const CommonFlags& flags, Print print) {
  if (!result) return report(result.error(), flags);
  if (flags.json)
    print_json(to_json(*result));
  else
    print(*result);
  return kDone;
}

// The same for what is worked out with the store and settings of the command.
template <class Print, class WorkOut>
int show_with_store(const CommonFlags& flags, Print print, WorkOut work_out) {
  const auto context = app::Context::create(flags.context);
  if (!context) return report(context.error(), flags);
  return show(work_out(**context), flags, print);
}

// The name of the environment variable for a flag.
std::string variable_of(const std::string& flag);

// ---- one function a command; each is in the file of its name ----
void add_agreement(CLI::App& program);
void add_ask(CLI::App& program);
void add_batch(CLI::App& program);
void add_bench(CLI::App& program);
void add_calibrate(CLI::App& program);
void add_card(CLI::App& program);
void add_compare(CLI::App& program);
void add_completion(CLI::App& program);
void add_delete(CLI::App& program);
void add_doctor(CLI::App& program);
void add_explain_miss(CLI::App& program);
void add_export(CLI::App& program);
void add_gym(CLI::App& program);
void add_help(CLI::App& program);
void add_import(CLI::App& program);
void add_judge(CLI::App& program);
void add_judge_card(CLI::App& program);
void add_leaderboard(CLI::App& gym);
void add_lift(CLI::App& program);
void add_lens(CLI::App& program);
void add_man(CLI::App& program);
void add_models(CLI::App& program);
void add_plan(CLI::App& program);
void add_plot(CLI::App& program);
void add_report(CLI::App& program);
void add_rescore(CLI::App& program);
void add_resume(CLI::App& program);
void add_runs(CLI::App& program);
void add_show(CLI::App& program);
void add_store(CLI::App& program);
void add_tag(CLI::App& program);
void add_version(CLI::App& program);

template <class Value>
CLI::Option* add_flag_with_value(CLI::App& command, const std::string& name, Value& value,
                                 const std::string& help) {
  return command.add_option(name, value, help)->envname(variable_of(name));
}

// One of these words, which stands for its value.
template <class Value>
CLI::Validator one_of(const std::map<std::string, Value>& choices) {
  std::string list;
  for (const auto& [word, value] : choices) list += (list.empty() ? "" : ",") + word;
  return {[choices](std::string& text) -> std::string {
            if (const auto found = choices.find(text); found != choices.end()) {
              text = std::to_string(static_cast<int>(found->second));
              return {};
            }
            std::string words;
            for (const auto& [word, value] : choices) words += (words.empty() ? "" : ", ") + word;
            return fmt::format("\"{}\" must be one of {}", text, words);
          },
          "{" + list + "}"};
}

}  // namespace personascope::cli
