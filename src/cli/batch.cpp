#include "app/batch.hpp"

#include "cli/command.hpp"
#include "cli/estimate_table.hpp"
#include "cli/run_command.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
    R"(  personascope batch requests.jsonl --model openai/gpt-4o -o answers.jsonl
  personascope batch requests.jsonl --model scripted/examples/replies.yaml
  personascope batch requests.jsonl --model vllm/my-model --base-url http://gpu1:8000/v1 \
      --max-connections 200 -o answers.jsonl
  personascope batch requests.jsonl --model openai/gpt-4o --max-cost 5 -o answers.jsonl
  personascope estimate batch requests.jsonl --model openai/gpt-4o

A line of the input: {"id": "a1", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 64}
A line of the output: {"id", "outcome": "ok|refused|failed", "text", "model", "usage", "error"}
Running it again asks only what has no answer yet.)";

struct BatchFlags {
  CommonFlags common;
  app::BatchCommand command;
  bool estimate = false;
};

int show_estimate(const BatchFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  return show(app::estimate_batch(**context, flags.command), flags.common, print_estimate);
}

int carry_out(const BatchFlags& flags) {
  if (flags.estimate) return show_estimate(flags);
  return watch_run(flags.common, [&](app::Context& context, const app::Listener& listener) {
    return app::start_batch(context, flags.command, listener);
  });
}

}  // namespace

void add_batch(CLI::App& program) {
  const auto flags = std::make_shared<BatchFlags>();
  CLI::App* command = add_command(program, "batch", "Answer a file of chat requests", kExamples,
                                  [flags] { return carry_out(*flags); });
  command
      ->add_option("REQUESTS", flags->command.input, "a file of JSON lines, one chat request each")
      ->required();
  add_model_flags(*command, flags->command.model, flags->command.base_url);
  add_flag_with_value(*command, "-o,--output", flags->command.output,
                      "the file of answers; - or nothing: standard output")
      ->type_name("FILE");
  command->add_flag("--estimate", flags->estimate,
                    "only say what it would take: calls, tokens, money, time");
  add_engine_flags(*command, flags->command.engine);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
