#include "cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "base/text.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Invalid:
    case ErrorKind::NotFound:
    case ErrorKind::Unauthorized:
    case ErrorKind::Misconfigured:
    case ErrorKind::Unsupported:
    case ErrorKind::Unparsable:
      return kWrongUse;
    case ErrorKind::Cancelled:
      return kInterrupted;
    default:
      return kNotDone;
  }
}

// CLI::Range lets "nan" pass.
CLI::Validator make_bounds(double least) {
  return {[least](std::string& text) -> std::string {
            const auto number = find_number_in(text);
            if (number && *number >= least && *number <= 1e15) return {};
            return fmt::format("\"{}\" must be a number of at least {}", text, least);
          },
          ""};
}

const CLI::Validator kPositive = make_bounds(1);
const CLI::Validator kNotNegative = make_bounds(0);
const CLI::Validator kSomeTime = make_bounds(0.001);

}  // namespace

std::string variable_of(const std::string& flag) {
  const std::size_t dashes = flag.rfind("--");
  return "PERSONASCOPE_" + upper(replace_all(flag.substr(dashes + 2), "-", "_"));
}

CLI::Option* add_list_flag(CLI::App& command, const std::string& name,
                           std::vector<std::string>& values, const std::string& help) {
  return add_flag_with_value(command, name, values, help)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_common_flags(CLI::App& command, CommonFlags& flags) {
  add_flag_with_value(command, "--store", flags.context.store,
                      "the file that keeps runs and answers")
      ->type_name("FILE");
  add_flag_with_value(command, "--prices", flags.context.prices,
                      "a YAML file of prices, added to the built-in list")
      ->type_name("FILE");
  command.add_flag("--json", flags.json, "one JSON document on standard output")
      ->envname(variable_of("--json"));
  command.add_flag("-q,--quiet", flags.quiet, "no progress and no summary")
      ->envname(variable_of("--quiet"));
}

void add_run_argument(CLI::App& command, std::int64_t& run) {
  command.add_option("RUN", run, "the run's number (see `personascope runs`)")
      ->required()
      ->check(CLI::Validator(
          [](std::string& text) -> std::string {
            const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
            if (is_number && !text.empty() && text.size() < 19) return {};
            return fmt::format("\"{}\" is not the number of a run; `personascope runs` lists them",
                               text);
          },
          ""));
}

void add_model_flags(CLI::App& command, std::string& model, std::optional<std::string>& base_url) {
  add_flag_with_value(command, "-m,--model", model,
                      "who answers: provider/model (see `personascope models`); with no key set, "
                      "embedded/smollm2-135m")
      ->type_name("MODEL");
  add_flag_with_value(command, "--base-url", base_url, "another address for the provider")
      ->type_name("URL");
}

void add_engine_flags(CLI::App& command, app::EngineOptions& options) {
  const auto add = [&](const std::string& name, auto& value, const std::string& type,
                       const std::string& help) {
    return add_flag_with_value(command, name, value, help)
        ->type_name(type)
        ->group("How calls are made");
  };
  add("--max-connections", options.max_connections, "N",
      "at most N calls in flight for each role; adapts to the server below that (1000)")
      ->check(CLI::Range(1, 100000));
  add("--fixed-connections", options.fixed_connections, "N",
      "always N calls in flight for each role, whatever the server refuses")
      ->check(CLI::Range(1, 100000));
  add("--rpm", options.calls_per_minute, "N", "at most so many calls a minute")->check(kPositive);
  add("--tpm", options.tokens_per_minute, "N", "at most so many tokens a minute")->check(kPositive);
  add("--max-retries", options.max_retries, "N", "tries after the first (8)")
      ->check(CLI::Range(0, 1000));
  add("--timeout", options.timeout_s, "SECONDS", "for one call with all its tries (1800)")
      ->check(kSomeTime);
  add("--attempt-timeout", options.attempt_timeout_s, "SECONDS", "for one try (600)")
      ->check(kSomeTime);
  add("--idle-timeout", options.idle_timeout_s, "SECONDS", "of silence within an answer (60)")
      ->check(kSomeTime);
  add("--hedge-after", options.hedge_after_s, "SECONDS",
      "send a slow call a second time; pays twice for it")
      ->check(kSomeTime);
  add("--max-cost", options.max_cost_usd, "USD", "stop the run before it costs more")
      ->check(kNotNegative);
  add("--max-calls", options.max_calls, "N", "stop the run before it sends more")
      ->check(kNotNegative);
  add("--max-tokens", options.max_tokens, "N", "stop the run before it takes more")
      ->check(kNotNegative);
  add("--fail-on-error", options.fail_on_error, "N",
      "failed items that are still a success: a number, or a share below 1 (0)")
      ->check(kNotNegative);
  add("--embedded-memory", options.embedded_memory_mb, "MB",
      "memory for what an embedded model reads and writes, besides its weights (512)")
      ->check(CLI::Range(16, 1 << 20));
  add("--embedded-parallel", options.embedded_parallel, "N",
      "answers of an embedded model under way at once; 1 repeats with the same seed (32)")
      ->check(CLI::Range(1, 48));
  CLI::Option* fresh =
      command
          .add_flag_callback(
              "--fresh", [&options] { options.fresh = true; }, "re-use no answer of an earlier run")
          ->envname(variable_of("--fresh"))
          ->group("How calls are made");
  command
      .add_flag_callback(
          "--replay", [&options] { options.replay = true; },
          "send nothing: every answer must be stored already")
      ->envname(variable_of("--replay"))
      ->group("How calls are made")
      ->excludes(fresh);
}

CLI::Validator make_open_range(double low, double high) {
  return {[low, high](std::string& text) -> std::string {
            const auto number = find_number_in(text);
            if (number && *number > low && *number < high) return {};
            return fmt::format("\"{}\" must be a number between {} and {}", text, low, high);
          },
          ""};
}

CLI::Validator make_closed_range(double low, double high) {
  return {[low, high](std::string& text) -> std::string {
            const auto number = find_number_in(text);
            if (number && *number >= low && *number <= high) return {};
            return fmt::format("\"{}\" must be a number from {} to {}", text, low, high);
          },
          ""};
}

void add_table_flags(CLI::App& command, std::optional<std::string>& cluster,
                     std::optional<std::string>& scale) {
  add_flag_with_value(command, "--cluster", cluster,
                      "the column that says which rows belong together, such as persona")
      ->type_name("COLUMN");
  add_flag_with_value(command, "--scale", scale, "the ends of the scale, such as 1-5 or 0-1")
      ->type_name("LOW-HIGH");
}

void add_resampling_flags(CLI::App& command, double& confidence, std::uint64_t& seed,
                          unsigned& threads) {
  add_flag_with_value(command, "--confidence", confidence, "of the intervals (0.95)")
      ->check(make_open_range(0, 1));
  add_flag_with_value(command, "--seed", seed, "of what is drawn at random (0)");
  threads = std::max(1u, std::thread::hardware_concurrency());
  add_flag_with_value(command, "--threads", threads, "changes the time, never the result")
      ->check(CLI::Range(1, 1024));
}

CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& summary,
                      const std::string& examples, std::function<int()> action) {
  CLI::App* command = program.add_subcommand(name, summary);
  command->group("Commands");
  command->footer("Examples:\n" + examples);
  // CLI11 has no exit code of a callback's own; this is its way to end with one.
  command->callback([action = std::move(action)] {
    if (const int code = action(); code != kDone) throw CLI::RuntimeError(code);
  });
  return command;
}

CLI::App* add_group(CLI::App& program, const std::string& name, const std::string& summary,
                    const std::string& examples) {
  CLI::App* group = program.add_subcommand(name, summary);
  group->group("Commands");
  group->footer("Examples:\n" + examples);
  group->require_subcommand(1);
  return group;
}

int report(const Error& error, const CommonFlags& flags) {
  fmt::print(stderr, "{} {}\n", paint(stderr, Colour::Red, "personascope:"),
             printable(error.message));
  if (flags.json)
    print_json({{"error", {{"kind", name_of(error.kind)}, {"message", error.message}}}});
  return exit_code_of(error.kind);
}

void print_json(const Json& value) {
  // JSON leaves some control characters as they are.
  const std::string text = render_pretty_json(value);
  fmt::print("{}\n", is_terminal(stdout) ? printable(text, Newlines::Keep) : text);
}

}  // namespace personascope::cli
