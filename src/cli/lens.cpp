#include "app/lens.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/estimate_table.hpp"
#include "cli/judging_flags.hpp"
#include "cli/lens_table.hpp"
#include "cli/run_command.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kLensExamples =
    R"(  personascope lens run --users 0-4 --tasks-per-user 2 --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope lens run --limit 2 --max-turns 3            # our own users and tasks, no key needed
  personascope lens gather output

Does an assistant serve this person? A simulated user with a profile talks with the assistant under test;
judges rate the dialogues.)";

constexpr const char* kGenerateExamples =
    R"(  personascope lens generate --sample 30 --model openai/gpt-4o-mini --user-model openai/gpt-4o -d -p
  personascope lens generate --multi-domain --users 0-99 --model vllm/my-agent --base-url http://localhost:8000/v1
  personascope lens generate --pack personalens --protocol reference -s3 -si -m claude-3-sonnet-v1 -u claude-3-sonnet-v1
  personascope lens generate --context-sweep none,d,p,dps --sample 20 --tasks-per-user 3 --model openai/gpt-4o-mini

Dialogues go to DIR/dialogue/userN/<assistant>[_d][_p][_s]/<task>_dialogue.json, DIR being --output.)";

constexpr const char* kEvaluateExamples =
    R"(  personascope lens evaluate --sample 30 --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope lens evaluate --pack personalens --protocol reference --output PersonaLens/output -m claude-3-sonnet-v1 -d personalization -i claude-3-5-sonnet-v2
  personascope lens evaluate --sample 30 --model openai/gpt-4o-mini --judge openai/gpt-4o -d all)";

constexpr const char* kRunExamples =
    R"(  personascope lens run --sample 30 --tasks-per-user 3 --model openai/gpt-4o-mini --judge openai/gpt-4o --demographics
  personascope lens run --context-sweep all --sample 20 --tasks-per-user 2 --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope estimate lens run --sample 30 --model openai/gpt-4o-mini --judge openai/gpt-4o)";

struct LensFlags {
  CommonFlags common;
  app::LensCommand command;
  std::string protocol = "chat";
  JudgingFlags judging;
  std::string side = "both";
  bool assistant_side = false;
  bool sample_30 = false;
  bool sample_50 = false;
  bool sample_100 = false;
  bool ambiguous = false;             // -d in `lens run`
  std::optional<std::string> unused;  // a flag of the published program that means nothing here
  bool estimate = false;
};

void set_sample(app::UserWishes& users, const LensFlags& flags) {
  if (flags.sample_30) users.sample = 30;
  if (flags.sample_50) users.sample = 50;
  if (flags.sample_100) users.sample = 100;
}

app::LensCommand make_command(const LensFlags& flags) {
  app::LensCommand command = flags.command;
  command.protocol =
      flags.protocol == "reference" ? app::LensProtocol::Reference : app::LensProtocol::Chat;
  read_judging_flags(flags.judging, command.judging, command.rule);
  if (flags.side == "user") command.side = app::LensSide::User;
  if (flags.side == "assistant" || flags.assistant_side) command.side = app::LensSide::Assistant;
  set_sample(command.users, flags);
  return command;
}

int carry_out(const LensFlags& flags) {
  if (flags.ambiguous)
    return report({ErrorKind::Invalid,
                   "-d is the demographics of generate and the dimension of evaluate: in lens run, "
                   "write --demographics or --dimension"},
                  flags.common);
  if (flags.estimate)
    return show_estimates(flags.common, [&](app::Context& context) {
      return app::estimate_lens(context, make_command(flags));
    });
  return watch_run(flags.common, [&](app::Context& context, const app::Listener& listener) {
    return app::start_lens(context, make_command(flags), listener);
  });
}

// Another spelling of a flag, out of the help text.
template <class Value>
CLI::Option* add_spelling(CLI::App& command, const std::string& names, Value& value) {
  return command.add_option(names, value)->group("");
}

void add_user_flags(CLI::App& command, app::UserWishes& users, LensFlags& flags) {
  add_flag_with_value(command, "--users", users.users, "these users: 0-99,250")->type_name("LIST");
  add_flag_with_value(command, "--sample", users.sample,
                      "the fixed sample of 20, 30, 50 or 100 users (-s3, -s5, -s10)")
      ->type_name("N")
      ->check(CLI::IsMember({20, 30, 50, 100}));
  command.add_option("-s,--start_index", users.first, "the first user")->type_name("N");
  command.add_option("-e,--end_index", users.last, "the last user")->type_name("N");
  command.add_flag("--sample_30", flags.sample_30)->group("");
  command.add_flag("--sample_50", flags.sample_50)->group("");
  command.add_flag("--sample_100", flags.sample_100)->group("");
}

void add_scenario_flags(CLI::App& command, LensFlags& flags) {
  app::LensCommand& wanted = flags.command;
  add_flag_with_value(command, "--pack", wanted.pack,
                      "users and prompts of an imported copy (`personascope import personalens`)")
      ->type_name("NAME");
  add_flag_with_value(command, "--data", wanted.data,
                      "users in the published form: a folder with profile/userN/profile.json (not "
                      "given: 1,500 users drawn from our own vocabulary)")
      ->type_name("DIR");
  add_user_flags(command, wanted.users, flags);
  command.add_flag("--multi-domain,--multi_domain", wanted.multi,
                   "tasks across several domains (-md)");
  command.add_flag("--both", wanted.both, "tasks in one domain and across several");
  add_list_flag(command, "--domain", wanted.domains,
                "only tasks of this domain; may be given again")
      ->type_name("NAME");
  add_list_flag(command, "--task", wanted.tasks, "only this task, e.g. SD-Alarm-task-1; likewise")
      ->type_name("ID");
  add_flag_with_value(command, "--tasks-per-user", wanted.tasks_per_user,
                      "so many tasks of each user, chosen by seed")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  add_flag_with_value(command, "--limit", wanted.limit, "the first N dialogues only")
      ->type_name("N")
      ->check(CLI::Range(1, 100000000));
  add_flag_with_value(command, "--seed", wanted.seed, "of every random choice (0)")->type_name("N");
  add_flag_with_value(command, "--words", wanted.words,
                      "prompts and rubrics of your own: a folder as data/lens")
      ->type_name("DIR");
  add_flag_with_value(command, "--protocol", flags.protocol,
                      "chat: both sides have chat histories; reference: the published program's "
                      "single messages (chat)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"chat", "reference"}));
  add_flag_with_value(command, "-r,--bedrock_region", wanted.engine.aws_region,
                      "the region of Bedrock's models")
      ->type_name("NAME");
}

enum class ShortD { Demographics, Dimension, Refused };

void add_context_flags(CLI::App& command, app::LensCommand& wanted, ShortD short_d) {
  const std::string names = "--demographics,--demographic";
  command.add_flag(short_d == ShortD::Demographics ? "-d," + names : names, wanted.demographics,
                   "the assistant knows the user's demographics");
  command.add_flag("-p,--past-interactions,--past_interaction_summary", wanted.past,
                   "the assistant knows the summary of past interactions");
  command.add_flag("--situation", wanted.situation, "the assistant knows the situation (-si)");
  add_flag_with_value(command, "--context-sweep", wanted.sweep,
                      "several contexts, paired: none,d,dp or all; d, p and s stand for the three "
                      "flags")
      ->type_name("LIST");
}

void add_dialogue_flags(CLI::App& command, app::LensCommand& wanted) {
  add_model_flags(command, wanted.model, wanted.base_url);
  add_spelling(command, "--model_id_asst", wanted.model);
  add_flag_with_value(command, "-u,--user-model", wanted.user_model,
                      "who plays the user (the model under test)")
      ->type_name("MODEL");
  add_spelling(command, "--model_id_user", wanted.user_model);
  add_flag_with_value(command, "--max-turns", wanted.max_turns,
                      "the longest dialogue, in turns of both (20; multi-domain 30)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  add_flag_with_value(command, "--max-output-tokens", wanted.max_tokens,
                      "the longest message (800)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_flag_with_value(command, "--temperature", wanted.temperature, "of the assistant (0)")
      ->type_name("T")
      ->check(CLI::Range(0.0, 2.0));
  add_flag_with_value(command, "--user-temperature", wanted.user_temperature, "of the user (0.5)")
      ->type_name("T")
      ->check(CLI::Range(0.0, 2.0));
}

void add_judge_flags(CLI::App& command, LensFlags& flags, ShortD short_d) {
  app::LensCommand& wanted = flags.command;
  add_list_flag(command, "-j,--judge", wanted.judges,
                "who judges: provider/model; give it again for a panel; with no key set, "
                "embedded/smollm2-135m")
      ->type_name("MODEL");
  command.add_option("-i,--model_id_eval", wanted.judges)->group("")->expected(1);
  const std::string names = short_d == ShortD::Dimension ? "-d,--dimension" : "--dimension";
  add_list_flag(command, names, wanted.dimensions,
                "task_completion, personalization, naturalness, coherence, first_turn_leak, "
                "turn_personalization, published (the first four) or all; may be given again "
                "(published)")
      ->type_name("NAME");
  command.add_option("--eval_dimension", wanted.dimensions)->group("")->expected(1);
  add_flag_with_value(command, "--side", flags.side,
                      "whose naturalness and coherence: user, assistant or both (both)")
      ->type_name("SIDE")
      ->check(CLI::IsMember({"user", "assistant", "both"}));
  command.add_flag("-a,--assistant", flags.assistant_side, "the same as --side assistant");
  add_judging_flags(command, flags.judging, wanted.judging);
  add_flag_with_value(command, "--canaries", wanted.canaries,
                      "judge so many dialogues with canary answers too; 0: none (1)")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
  add_flag_with_value(command, "--reader", wanted.reader,
                      "who reads the profile's lift, e.g. embedded/smollm2-135m or vllm/… (nobody)")
      ->type_name("MODEL");
  add_flag_with_value(command, "--readings", wanted.readings, "of so many dialogues (20)")
      ->type_name("N")
      ->check(CLI::Range(0, 1000000));
}

void add_last_flags(CLI::App& command, LensFlags& flags, const std::string& tree_help) {
  add_flag_with_value(command, "-o,--output", flags.command.tree, tree_help)->type_name("DIR");
  add_flag_with_value(command, "--items", flags.command.items,
                      "a file with a line a dialogue; - for standard output")
      ->type_name("FILE");
  command.add_flag("--estimate", flags.estimate,
                   "only say what it would take: calls, tokens, money");
  add_engine_flags(command, flags.command.engine);
  add_common_flags(command, flags.common);
}

CLI::App* add_stage(CLI::App& lens, const std::string& name, const std::string& summary,
                    const char* examples, const std::shared_ptr<LensFlags>& flags) {
  return add_command(lens, name, summary, examples, [flags] { return carry_out(*flags); });
}

void add_generate(CLI::App& lens) {
  const auto flags = std::make_shared<LensFlags>();
  flags->command.stage = app::LensStage::Generate;
  CLI::App* command =
      add_stage(lens, "generate", "Only hold the dialogues", kGenerateExamples, flags);
  add_scenario_flags(*command, *flags);
  add_context_flags(*command, flags->command, ShortD::Demographics);
  add_dialogue_flags(*command, flags->command);
  add_last_flags(*command, *flags, "where the dialogues go (output)");
}

void add_evaluate(CLI::App& lens) {
  const auto flags = std::make_shared<LensFlags>();
  flags->command.stage = app::LensStage::Evaluate;
  CLI::App* command =
      add_stage(lens, "evaluate", "Only judge dialogues that were held", kEvaluateExamples, flags);
  add_scenario_flags(*command, *flags);
  add_context_flags(*command, flags->command, ShortD::Dimension);
  add_flag_with_value(*command, "-m,--model", flags->command.model,
                      "whose dialogues: the assistant, as it was named, or its folder")
      ->type_name("MODEL");
  add_spelling(*command, "--model_id_asst", flags->command.model);
  add_spelling(*command, "-u,--model_id_user", flags->unused);
  add_judge_flags(*command, *flags, ShortD::Dimension);
  add_last_flags(*command, *flags, "where the dialogues are and the verdicts go (output)");
}

void add_whole(CLI::App& lens) {
  const auto flags = std::make_shared<LensFlags>();
  CLI::App* command =
      add_stage(lens, "run", "Dialogues and verdicts in one go", kRunExamples, flags);
  add_scenario_flags(*command, *flags);
  add_context_flags(*command, flags->command, ShortD::Refused);
  command->add_flag("-d", flags->ambiguous)->group("");
  add_dialogue_flags(*command, flags->command);
  add_judge_flags(*command, *flags, ShortD::Refused);
  add_last_flags(*command, *flags,
                 "also write dialogues and verdicts there, in the published form");
}

}  // namespace

void add_lens(CLI::App& program) {
  CLI::App* lens =
      add_group(program, "lens", "Does an assistant serve this person?", kLensExamples);
  add_whole(*lens);
  add_generate(*lens);
  add_evaluate(*lens);
  add_lens_gather(*lens);
  add_lens_profiles(*lens);
}

}  // namespace personascope::cli
