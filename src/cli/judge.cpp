#include "app/judge.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_table.hpp"
#include "cli/judging_flags.hpp"
#include "cli/run_command.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
    R"(  personascope judge answers.jsonl --rubric data/rubrics/helpfulness.yaml --judge openai/gpt-4o \
      -o verdicts.jsonl
  personascope judge answers.jsonl --rubric data/gym/tasks/expected-action.yaml \
      --judge openai/gpt-4o --judge anthropic/claude-sonnet-4 --escalate openai/o3 -o verdicts.jsonl
  personascope judge answers.jsonl --rubric my-rubric.md --judge vllm/my-judge --both-orders \
      --judge-repeats 3 -o verdicts.jsonl
  personascope estimate judge answers.jsonl --rubric my-rubric.yaml --judge openai/gpt-4o

A line of the input: {"id": "a1", "question": "…", "persona": "…", "answer": "…"}
A line of the output: {"id", "verdict": "score|cannot_assess|refused|failed", "score", "judges": […]}
A rubric is a YAML or Markdown file with a scale and criteria: copy data/rubrics/helpfulness.yaml.
A few items are also judged with canary answers that deserve nothing; their mean is shown.)";

struct JudgeFlags {
  CommonFlags common;
  app::JudgeCommand command;
  JudgingFlags judging;
  bool estimate = false;
};

app::JudgeCommand make_command(const JudgeFlags& flags) {
  app::JudgeCommand command = flags.command;
  read_judging_flags(flags.judging, command.options, command.rule);
  return command;
}

int show_estimate(const JudgeFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto estimates = app::estimate_judging(**context, make_command(flags));
  if (!estimates) return report(estimates.error(), flags.common);
  if (flags.common.json) {
    Json list = Json::array();
    for (const auto& estimate : *estimates) list.push_back(run::to_json(estimate));
    print_json({{"judges", list}});
    return kDone;
  }
  for (const auto& estimate : *estimates) print_estimate(estimate);
  if (flags.command.escalate)
    fmt::print("and calls to {} wherever two judges differ by 2 or more\n",
               printable(*flags.command.escalate));
  return kDone;
}

int carry_out(const JudgeFlags& flags) {
  if (flags.estimate) return show_estimate(flags);
  return watch_run(flags.common, [&](app::Context& context, const app::Listener& listener) {
    return app::start_judging(context, make_command(flags), listener);
  });
}

}  // namespace

void add_judge(CLI::App& program) {
  const auto flags = std::make_shared<JudgeFlags>();
  CLI::App* command = add_command(program, "judge", "Score a file of answers by a rubric",
                                  kExamples, [flags] { return carry_out(*flags); });
  app::JudgeCommand& wanted = flags->command;
  command->add_option("answers", wanted.input, "JSON lines, one answer each")
      ->required()
      ->type_name("FILE");
  add_flag_with_value(*command, "-r,--rubric", wanted.rubric,
                      "what to score by: a YAML or Markdown file")
      ->required()
      ->type_name("FILE");
  add_list_flag(*command, "-j,--judge", wanted.judges,
                "who judges: provider/model; give it again for a panel; with no key set, "
                "embedded/smollm2-135m")
      ->type_name("MODEL");
  add_flag_with_value(*command, "--base-url", wanted.base_url, "another address for the judges")
      ->type_name("URL");
  add_flag_with_value(*command, "-o,--output", wanted.output,
                      "the file of verdicts; - or nothing: standard output")
      ->type_name("FILE");
  add_judging_flags(*command, flags->judging, wanted.options);
  add_flag_with_value(*command, "--escalate", wanted.escalate,
                      "a further judge for items on which two differ by 2 or more")
      ->type_name("MODEL");
  add_flag_with_value(*command, "--canaries", wanted.canaries,
                      "judge so many items with canary answers too; 0: none (2)")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
  add_flag_with_value(*command, "--cluster", wanted.cluster,
                      "the field that groups lines, for intervals (persona, if all lines have it)")
      ->type_name("FIELD");
  add_flag_with_value(*command, "--temperature", wanted.options.temperature,
                      "of the judges (0; with repeats 1)")
      ->type_name("T")
      ->check(CLI::Range(0.0, 2.0));
  add_flag_with_value(*command, "--max-output-tokens", wanted.options.max_tokens,
                      "the longest reply of a judge (1024)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--estimate", flags->estimate,
                    "only say what it would take: calls, tokens, money, time");
  add_engine_flags(*command, wanted.engine);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
