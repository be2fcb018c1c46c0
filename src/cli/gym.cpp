#include "app/gym.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/estimate_table.hpp"
#include "cli/judging_flags.hpp"
#include "cli/run_command.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kGymExamples =
    R"(  personascope gym run --persona "a high school physics teacher" --model together/meta-llama/Llama-3.3-70B-Instruct-Turbo --judge openai/gpt-4o
  personascope gym run --limit 2 --questions-per-task 2       # our own personas and questions, no key needed
  personascope gym questions --help

Does an agent act as its persona would? Five tasks, each scored 1 to 5; their mean is the PersonaScore.)";

constexpr const char* kRunExamples =
    R"(  personascope gym run --persona "a high school physics teacher" --persona "a retired con artist" \
      --model openai/gpt-4o-mini --judge openai/gpt-4o --judge anthropic/claude-sonnet-4
  personascope gym run --model vllm/my-agent --base-url http://localhost:8000/v1 --judge openai/gpt-4o
  personascope gym run --personas mine.yaml --model openai/gpt-4o-mini --judge openai/gpt-4o -o items.jsonl
  personascope gym run --benchmark benchmark-v1 --protocol reference --model meta-llama/Llama-2-70b-chat-hf \
      --judge gpt-4o-2024-05-13 --judge meta-llama/Llama-3-70b-chat-hf
  personascope estimate gym run --model openai/gpt-4o-mini --judge openai/gpt-4o

Without --persona and --personas: the pack's personas that have ready-made questions. A persona that has
none gets questions written for it by --question-model, which is the first judge if none is named.)";

constexpr const char* kQuestionsExamples =
    R"(  personascope gym questions --persona "a lighthouse keeper" --question-model openai/gpt-4o --questions my-questions
  personascope gym questions --fresh --limit 5 --question-model openai/gpt-4o --questions private-split)";

constexpr const char* kAnswerExamples =
    R"(  personascope gym answer --questions my-questions --model openai/gpt-4o-mini --responses results/mini)";

constexpr const char* kGradeExamples =
    R"(  personascope gym grade --responses results/mini --judge openai/gpt-4o --scores scores.json
  personascope gym grade --responses results/gpt35 --protocol reference --judge gpt-4o --judge meta-llama/Llama-3-70b-chat-hf)";

struct GymFlags {
  CommonFlags common;
  app::GymCommand command;
  std::string protocol = "strict";
  JudgingFlags judging;
  std::optional<double> fail_under;
  bool estimate = false;
};

app::GymCommand make_command(const GymFlags& flags) {
  app::GymCommand command = flags.command;
  command.protocol =
      flags.protocol == "reference" ? app::Protocol::Reference : app::Protocol::Strict;
  read_judging_flags(flags.judging, command.judging, command.rule);
  return command;
}

int carry_out(const GymFlags& flags) {
  if (flags.estimate)
    return show_estimates(flags.common, [&](app::Context& context) {
      return app::estimate_gym(context, make_command(flags));
    });
  std::optional<double> score;
  const int code =
      watch_run(flags.common, [&](app::Context& context, const app::Listener& listener) {
        auto summary = app::start_gym(context, make_command(flags), listener);
        if (const Json* part = summary ? find_member(summary->results, "persona_score") : nullptr)
          score = find_number(*part, "mean");
        return summary;
      });
  if (code != kDone || !flags.fail_under || (score && *score >= *flags.fail_under)) return code;
  if (score)
    fmt::print(stderr, "the PersonaScore {:.4g} is under {}\n", *score, *flags.fail_under);
  else
    fmt::print(stderr, "there is no PersonaScore to hold against {}\n", *flags.fail_under);
  return kThresholdMissed;
}

void add_persona_flags(CLI::App& command, app::GymCommand& wanted) {
  add_list_flag(command, "--persona", wanted.personas,
                "a persona in words; give it again for more of them")
      ->type_name("TEXT");
  add_flag_with_value(command, "--personas", wanted.personas_file,
                      "a file of personas: text, YAML, JSONL or CSV")
      ->type_name("FILE");
  command.add_option("--persona_list", wanted.persona_list, "a list of personas: '[\"…\", \"…\"]'")
      ->type_name("LIST");
  add_flag_with_value(command, "--benchmark", wanted.benchmark,
                      "an imported pack with its personas and questions (see import)")
      ->type_name("NAME");
  add_flag_with_value(command, "--limit", wanted.limit, "the first N personas only")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_list_flag(command, "--task", wanted.tasks,
                "only this task, e.g. expected-action; may be given again")
      ->type_name("TASK");
  add_list_flag(command, "--tasks", wanted.task_files,
                "a task of your own: a YAML file, see docs/gym.md")
      ->type_name("FILE");
  add_flag_with_value(command, "--questions-per-task", wanted.questions_per_task,
                      "how many questions each task has (10)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  add_flag_with_value(command, "--seed", wanted.seed, "of every random choice (0)")->type_name("N");
}

void add_question_flags(CLI::App& command, app::GymCommand& wanted) {
  add_flag_with_value(command, "--question-model", wanted.question_model,
                      "who writes environments and questions (the first judge)")
      ->type_name("MODEL");
  command.add_flag("--fresh-questions", wanted.fresh_questions,
                   "have questions written also where there are ready-made ones");
}

void add_answer_flags(CLI::App& command, app::GymCommand& wanted) {
  add_model_flags(command, wanted.model, wanted.base_url);
  command
      .add_option("--saved_questions", wanted.saved_questions,
                  "questions from the folder questions/NAME")
      ->type_name("NAME");
  command.add_option("--model_name", wanted.model_name, "answers to the folder results/NAME")
      ->type_name("NAME");
  add_flag_with_value(command, "--epochs", wanted.epochs, "answer every question so often (1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  add_flag_with_value(command, "--temperature", wanted.temperature, "of the answers (0.9)")
      ->type_name("T")
      ->check(CLI::Range(0.0, 2.0));
  add_flag_with_value(command, "--top-p", wanted.top_p, "of the answers (0.9)")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0));
  add_flag_with_value(command, "--max-output-tokens", wanted.max_tokens,
                      "the longest answer (3000)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
}

void add_grade_flags(CLI::App& command, GymFlags& flags) {
  app::GymCommand& wanted = flags.command;
  add_list_flag(command, "-j,--judge", wanted.judges,
                "who grades: provider/model; give it again for a panel; with no key set, "
                "embedded/smollm2-135m")
      ->type_name("MODEL");
  add_flag_with_value(command, "--example-model", wanted.example_model,
                      "who writes example answers for each score; none: nobody (the first judge, "
                      "unless it is embedded)")
      ->type_name("MODEL");
  command.add_flag("--as-published", wanted.as_published,
                   "with --protocol reference: its examples defect too");
  add_judging_flags(command, flags.judging, wanted.judging);
  add_flag_with_value(command, "--canaries", wanted.canaries,
                      "judge so many items with canary answers too; 0: none (2)")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
  add_flag_with_value(
      command, "--reader", wanted.reader,
      "who reads persona lift and identification: an embedded model or vllm/…; none: "
      "nobody (an embedded model)")
      ->type_name("MODEL");
  add_flag_with_value(command, "--readings", wanted.readings, "read so many answers (40)")
      ->type_name("N")
      ->check(CLI::Range(0, 1000000));
  add_flag_with_value(command, "--controls", wanted.controls,
                      "so many of them against an answer without a persona (10)")
      ->type_name("N")
      ->check(CLI::Range(0, 1000000));
  add_flag_with_value(command, "--fail-under", flags.fail_under,
                      "end with exit code 100 if the PersonaScore is lower")
      ->type_name("SCORE");
  add_flag_with_value(command, "--scores", wanted.scores,
                      "write the scores in the published program's form")
      ->type_name("FILE");
  command.add_option("--save_name", wanted.save_name, "the same, to scores/NAME/scores.json")
      ->type_name("NAME");
}

void add_last_flags(CLI::App& command, GymFlags& flags) {
  add_flag_with_value(command, "-o,--output", flags.command.output,
                      "a file with a line an item; - for standard output")
      ->type_name("FILE");
  add_flag_with_value(command, "--protocol", flags.protocol,
                      "strict: one item a verdict; reference: the published program's calls and "
                      "arithmetic (strict)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"strict", "reference"}));
  command.add_flag("--estimate", flags.estimate,
                   "only say what it would take: calls, tokens, money");
  add_engine_flags(command, flags.command.engine);
  add_common_flags(command, flags.common);
}

using Flags = std::shared_ptr<GymFlags>;

CLI::App* add_stage(CLI::App& gym, const std::string& name, const std::string& summary,
                    const char* examples, const Flags& flags) {
  return add_command(gym, name, summary, examples, [flags] { return carry_out(*flags); });
}

void add_run(CLI::App& gym) {
  const auto flags = std::make_shared<GymFlags>();
  CLI::App* command =
      add_stage(gym, "run", "Questions, answers and grades in one go", kRunExamples, flags);
  app::GymCommand& wanted = flags->command;
  add_persona_flags(*command, wanted);
  add_question_flags(*command, wanted);
  add_answer_flags(*command, wanted);
  add_grade_flags(*command, *flags);
  add_flag_with_value(*command, "--questions", wanted.questions,
                      "questions in the published form: taken from this folder if it has every "
                      "persona's, else written there")
      ->type_name("DIR");
  add_flag_with_value(*command, "--responses", wanted.responses, "answers, likewise")
      ->type_name("DIR");
  command->add_option("--saved_responses", wanted.saved_responses, "answers from that folder")
      ->type_name("DIR");
  add_last_flags(*command, *flags);
}

void add_questions(CLI::App& gym) {
  const auto flags = std::make_shared<GymFlags>();
  flags->command.until = app::Stage::Questions;
  CLI::App* command =
      add_stage(gym, "questions", "Only write the questions", kQuestionsExamples, flags);
  add_persona_flags(*command, flags->command);
  add_flag_with_value(*command, "--question-model", flags->command.question_model,
                      "who writes environments and questions")
      ->type_name("MODEL");
  command->add_flag("--fresh-questions", flags->command.fresh_questions,
                    "write also where there are ready-made ones; --fresh does so too, and re-uses "
                    "no earlier reply");
  add_flag_with_value(*command, "--questions", flags->command.questions,
                      "the folder to write to, in the published form")
      ->type_name("DIR");
  add_last_flags(*command, *flags);
}

void add_answer(CLI::App& gym) {
  const auto flags = std::make_shared<GymFlags>();
  flags->command.until = app::Stage::Answers;
  CLI::App* command = add_stage(gym, "answer", "Only answer the questions", kAnswerExamples, flags);
  add_persona_flags(*command, flags->command);
  add_question_flags(*command, flags->command);
  add_answer_flags(*command, flags->command);
  add_flag_with_value(*command, "--questions", flags->command.questions,
                      "questions from this folder, in the published form")
      ->type_name("DIR");
  add_flag_with_value(*command, "--responses", flags->command.responses,
                      "the folder to write to, in the published form")
      ->type_name("DIR");
  add_last_flags(*command, *flags);
}

void add_grade(CLI::App& gym) {
  const auto flags = std::make_shared<GymFlags>();
  flags->command.grade_only = true;
  CLI::App* command = add_stage(gym, "grade", "Only grade answers", kGradeExamples, flags);
  app::GymCommand& wanted = flags->command;
  add_persona_flags(*command, wanted);
  add_flag_with_value(*command, "--responses", wanted.responses,
                      "answers from this folder, in the published form")
      ->type_name("DIR");
  command->add_option("--saved_responses", wanted.saved_responses, "the same")->type_name("DIR");
  add_flag_with_value(*command, "-m,--model", wanted.model, "who answered, for the report")
      ->type_name("MODEL");
  add_grade_flags(*command, *flags);
  add_last_flags(*command, *flags);
}

}  // namespace

void add_gym(CLI::App& program) {
  CLI::App* gym =
      add_group(program, "gym", "Does an agent act as its persona would?", kGymExamples);
  add_run(*gym);
  add_questions(*gym);
  add_answer(*gym);
  add_grade(*gym);
  add_leaderboard(*gym);
}

}  // namespace personascope::cli
