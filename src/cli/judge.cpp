#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/catalog_command.hpp"
#include "cli/estimate_table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kJudgeExamples =
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

int show_judges(const CatalogFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto estimates = flags.command->estimate(**context, flags.given);
  if (!estimates) return report(estimates.error(), flags.common);
  if (flags.common.json) {
    Json list = Json::array();
    for (const auto& estimate : *estimates) list.push_back(to_json(estimate));
    print_json({{"judges", list}});
    return kDone;
  }
  for (const auto& estimate : *estimates) print_estimate(estimate);
  if (const auto further = find_text(flags.given, "escalate"))
    fmt::print("and calls to {} wherever two judges differ by 2 or more\n", printable(*further));
  return kDone;
}

int run_judge(const CatalogFlags& flags) {
  return flags.estimate ? show_judges(flags) : carry_out_command(flags);
}

}  // namespace

void add_judge(CLI::App& program) {
  add_catalog_command(program, "judge", kJudgeExamples, run_judge);
}

}  // namespace personascope::cli
