#include "app/bench_personas.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/bench_personas_table.hpp"
#include "cli/estimate_table.hpp"
#include "cli/run_command.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kBenchPersonasExamples =
    R"(  personascope bench personas --count 300 --seed 1 -o personas.jsonl
  personascope bench personas --count 5                # to standard output
  personascope bench main --personas personas.jsonl --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench personas --count 50 --model openai/gpt-4o-mini -o written.jsonl

All 33 attributes, drawn from shares, lists and rules in data/bench. The same seed gives the same
personas, and a larger count only adds to them. With --model, that model writes the open attributes
(quirks, mannerisms, personal time, lifestyle, ideology, political views) to fit the others, and
--judge drops personas that contradict themselves; such a run can be resumed.)";

struct Flags {
  CommonFlags common;
  app::PersonasCommand command;
  bool estimate = false;
};

void print_report(const Json& report) {
  std::int64_t anew = 0;
  for (const auto& [rule, count] : report["drawn_anew"].items()) anew += count.get<std::int64_t>();
  say("{}{} draws broke a rule and were repeated\n", render_diversity(report), render_count(anew));
}

Result<void> write_line(std::string_view line) {
  if (std::fwrite(line.data(), 1, line.size(), stdout) == line.size()) return {};
  return fail(ErrorKind::Storage, "standard output cannot be written");
}

int write_by_model(const Flags& flags) {
  if (flags.estimate)
    return show_estimates(flags.common, [&](app::Context& context) {
      return app::estimate_writing_personas(context, flags.command);
    });
  return watch_run(flags.common, [&](app::Context& context, const app::Listener& listener) {
    return app::start_writing_personas(context, flags.command, listener);
  });
}

int draw_personas(const Flags& flags) {
  if (!flags.command.model.empty()) return write_by_model(flags);
  if (flags.estimate || !flags.command.judge.empty())
    return report({ErrorKind::Invalid, "--estimate and --judge need --model"}, flags.common);
  if (flags.common.json && flags.command.output.value_or("-") == "-")
    return report({ErrorKind::Invalid, "with --json, name a file for the personas with -o"},
                  flags.common);
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto drawn = app::draw_personas(**context, flags.command, write_line);
  if (!drawn) return report(drawn.error(), flags.common);
  if (flags.common.json)
    print_json(*drawn);
  else if (!flags.common.quiet)
    print_report(*drawn);
  return kDone;
}

}  // namespace

void add_bench_personas(CLI::App& bench) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* command =
      add_command(bench, "personas", "Draw random personas with 33 attributes",
                  kBenchPersonasExamples, [flags] { return draw_personas(*flags); });
  add_flag_with_value(*command, "--count", flags->command.count, "number of personas (default 300)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_flag_with_value(*command, "--seed", flags->command.seed,
                      "seed of the random choices (default 0)")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  add_flag_with_value(*command, "-o,--output", flags->command.output,
                      "JSONL file to write; - is standard output (default -)")
      ->type_name("FILE");
  add_flag_with_value(*command, "--tables", flags->command.tables,
                      "folder with your own tables, lists and rules, in the form of data/bench")
      ->type_name("DIR");
  // Not from variables: a model set for other commands must not make this one cost something.
  command
      ->add_option("-m,--model", flags->command.model,
                   "model that writes the open attributes: provider/model (default: they are drawn "
                   "from lists)")
      ->type_name("MODEL");
  command
      ->add_option("--base-url", flags->command.base_url,
                   "address of the model, if not its provider's usual one")
      ->type_name("URL");
  command
      ->add_option("-j,--judge", flags->command.judge,
                   "model that removes contradictions: provider/model (default: the model itself)")
      ->type_name("MODEL");
  add_flag_with_value(*command, "--temperature", flags->command.temperature,
                      "temperature of the writing (default 1)")
      ->type_name("T")
      ->check(CLI::Range(0.0, 2.0));
  command->add_flag("--estimate,--dry-run", flags->estimate,
                    "with --model: only estimate calls, tokens and cost");
  add_engine_flags(*command, flags->command.engine);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
