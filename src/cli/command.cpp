#include "cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "base/text.hpp"
#include "cli/option_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

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

}  // namespace

std::string variable_of(const std::string& flag) {
  const std::size_t dashes = flag.rfind("--");
  return "PERSONASCOPE_" + upper(replace_all(flag.substr(dashes + 2), "-", "_"));
}

void add_common_flags(CLI::App& command, CommonFlags& flags) {
  add_flag_with_value(command, "--store", flags.context.store,
                      "file of the store (runs and answers)")
      ->type_name("FILE");
  add_flag_with_value(command, "--prices", flags.context.prices,
                      "a YAML file of prices, added to the built-in list")
      ->type_name("FILE");
  command.add_flag("--json", flags.json, "print one JSON document on standard output")
      ->envname(variable_of("--json"));
  command.add_flag("-q,--quiet", flags.quiet, "show no progress and no summary")
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
                      "model that answers: provider/model (see `personascope models`; default "
                      "embedded/smollm2-135m if no key is set)")
      ->type_name("MODEL");
  add_flag_with_value(command, "--base-url", base_url,
                      "address of the model, if not its provider's usual one")
      ->type_name("URL");
}

void add_engine_flags(CLI::App& command, app::EngineOptions& options) {
  add_option_flags(command, app::engine_options().specs(command.get_parent()->get_name()),
                   [&options](const core::OptionSpec& spec, const Json& value) {
                     for (const auto& row : app::engine_options().rows())
                       if (row.spec().name == spec.name) row.set(options, value);
                   });
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
                      "column that groups the rows which belong together, such as persona")
      ->type_name("COLUMN");
  add_flag_with_value(command, "--scale", scale,
                      "lowest and highest score of the scale, such as 1-5")
      ->type_name("LOW-HIGH");
}

void add_resampling_flags(CLI::App& command, double& confidence, std::uint64_t& seed,
                          unsigned& threads) {
  add_flag_with_value(command, "--confidence", confidence,
                      "confidence level of the intervals (default 0.95)")
      ->check(make_open_range(0, 1));
  add_flag_with_value(command, "--seed", seed, "seed of the resampling (default 0)");
  threads = std::max(1u, std::thread::hardware_concurrency());
  add_flag_with_value(command, "--threads", threads, "number of threads; affects only the time")
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

void print_message(const std::string& who, const std::string& text) {
  const std::string lines = wrap_message(stderr, who + " " + text);
  say("{}{}", paint(stderr, Colour::Red, who), lines.substr(who.size()));
}

int report(const Error& error, const CommonFlags& flags) {
  const std::string message = name_flags(error.message, flags.options);
  print_message("personascope:", printable(message));
  if (flags.json) print_json({{"error", {{"kind", name_of(error.kind)}, {"message", message}}}});
  return exit_code_of(error.kind);
}

void print_json(const Json& value) {
  // JSON leaves some control characters as they are.
  const std::string text = render_pretty_json(value);
  fmt::print("{}\n", is_terminal(stdout) ? printable(text, Newlines::Keep) : text);
}

}  // namespace personascope::cli
