#include "app/lift.hpp"

#include "cli/command.hpp"
#include "cli/estimate_table.hpp"
#include "cli/run_command.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
    R"(  personascope lift answers.jsonl
  personascope lift answers.jsonl --personas data/gym/personas.jsonl --distractors 7
  personascope lift answers.jsonl --control answers-without-persona.jsonl -o readings.jsonl
  personascope estimate lift answers.jsonl

A line of the answers: {"id": "a1", "persona": "…", "question": "…", "answer": "…"}
A line of the control: {"id": "a1", "answer": "…"}, the same question answered without a persona
A line of the personas: {"id": "p1", "persona": "…"}; answers may then name a persona by its id
A line of the output: {"id", "kind": "answer|control|content_free", "persona", "lift", "candidates", …}
Nothing is asked: a model inside the program reads how likely each answer is.)";

struct LiftFlags {
  CommonFlags common;
  app::LiftCommand command;
  bool estimate = false;
};

int show_estimate(const LiftFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  return show(app::estimate_lift(**context, flags.command), flags.common, print_estimate);
}

int carry_out(const LiftFlags& flags) {
  if (flags.estimate) return show_estimate(flags);
  return watch_run(flags.common, [&](app::Context& context, const app::Listener& listener) {
    return app::start_lift(context, flags.command, listener);
  });
}

}  // namespace

void add_lift(CLI::App& program) {
  const auto flags = std::make_shared<LiftFlags>();
  CLI::App* command =
      add_command(program, "lift", "Read how much of its persona shows in each answer", kExamples,
                  [flags] { return carry_out(*flags); });
  app::LiftCommand& wanted = flags->command;
  command->add_option("answers", wanted.input, "JSON lines, one answer each")
      ->required()
      ->type_name("FILE");
  add_flag_with_value(*command, "--personas", wanted.personas,
                      "all personas, by id: more to tell answers from")
      ->type_name("FILE");
  add_flag_with_value(*command, "--control", wanted.control,
                      "the same questions answered without a persona")
      ->type_name("FILE");
  command
      ->add_flag("--content-free", wanted.content_free,
                 "as a further control, read one and the same empty phrase as the answer")
      ->envname(variable_of("--content-free"));
  add_flag_with_value(*command, "-m,--model", wanted.model,
                      "who reads: an embedded model or vllm/… (embedded/smollm2-135m)")
      ->type_name("MODEL");
  add_flag_with_value(*command, "-o,--output", wanted.output,
                      "a file for the readings; - for standard output; nothing: only the summary")
      ->type_name("FILE");
  add_flag_with_value(*command, "--distractors", wanted.distractors,
                      "how many other personas an answer is read under, half of them alike (7)")
      ->type_name("N")
      ->check(CLI::Range(0, 1000));
  add_flag_with_value(*command, "--seed", wanted.seed, "chooses the distractors (0)")
      ->type_name("N")
      ->check(CLI::Range(0L, 4611686018427387903L));
  command->add_flag("--estimate", flags->estimate,
                    "only say what it would take: calls, tokens, money, time");
  add_engine_flags(*command, wanted.engine);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
