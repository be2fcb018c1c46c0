#include "eval/personalens/options.hpp"

#include "judge/options.hpp"

namespace personascope::eval::personalens {
namespace {

using core::OptionTable;

const std::vector<std::string> kHolding{"run", "generate"};
const std::vector<std::string> kJudging{"run", "evaluate"};

// The assistant's knowledge, without short flags.
OptionTable<Knowledge> make_knowledge_table() {
  return {{&Knowledge::past,
           {.name = "past_interactions",
            .short_flag = "p",
            .aliases = {"--past_interaction_summary"},
            .sentence = "the assistant knows the summary of past interactions"}},
          {&Knowledge::situation,
           {.name = "situation", .sentence = "the assistant knows the situation (-si)"}}};
}

OptionTable<Knowledge> make_demographics_table(const std::string& short_flag) {
  return {{&Knowledge::demographics,
           {.name = "demographics",
            .short_flag = short_flag,
            .aliases = {"--demographic"},
            .sentence = "the assistant knows the user's demographics"}}};
}

core::OptionSpec describe_dimensions(const std::string& short_flag, const std::string& stage) {
  return {.name = "dimensions",
          .flag = "dimension",
          .short_flag = short_flag,
          .aliases = {"--eval_dimension"},
          .value = "NAME",
          .stages = {stage},
          .otherwise = "published",
          .sentence =
              "what is judged: task_completion, personalization, naturalness, coherence, "
              "first_turn_leak, turn_personalization, published (the first four) or all; "
              "may be repeated"};
}

void add_scenario(OptionTable<LensOptions>& table) {
  table.add({&LensOptions::pack,
             {.name = "pack",
              .value = "NAME",
              .sentence = "users and prompts of an imported copy (`personascope import "
                          "personalens`)"}});
  table.add({&LensOptions::data,
             {.name = "data",
              .value = "DIR",
              .from_variable = false,  // PERSONASCOPE_DATA is the folder of the program's data
              .otherwise = "1,500 users drawn from our own vocabulary",
              .sentence = "users in the published form: a folder with "
                          "profile/userN/profile.json"}});
  table.include(&LensOptions::wishes, user_options());
  table.add({&LensOptions::multi_domain,
             {.name = "multi_domain",
              .aliases = {"--multi_domain"},
              .sentence = "tasks across several domains (-md)"}});
  table.add({&LensOptions::both_spans,
             {.name = "both", .sentence = "tasks in one domain and across several"}});
  table.add({&LensOptions::domains,
             {.name = "domains",
              .flag = "domain",
              .value = "NAME",
              .sentence = "only tasks of this domain; may be repeated"}});
  table.add({&LensOptions::tasks,
             {.name = "tasks",
              .flag = "task",
              .value = "ID",
              .sentence = "only this task, e.g. ps-Alarm-1; may be repeated"}});
  table.add({&LensOptions::tasks_per_user,
             {.name = "tasks_per_user",
              .value = "N",
              .least = 0,
              .most = 1000,
              .sentence = "only N tasks of each user, chosen by the seed; 0 = all"}});
  table.add({&LensOptions::limit,
             {.name = "limit",
              .value = "N",
              .least = 0,
              .most = 100000000,
              .sentence = "only the first N dialogues; 0 = all"}});
  table.add(
      {&LensOptions::data_version,
       {.name = "data_version",
        .value = "N",
        .least = 1,
        .most = 1000,
        .otherwise = "the newest",
        .sentence = "version of our own users and tasks, where no folder of users is named"}});
  table.add({&LensOptions::seed,
             {.name = "seed", .value = "N", .sentence = "seed of every random choice"}});
  table.add({&LensOptions::words,
             {.name = "words",
              .value = "DIR",
              .sentence = "prompts and rubrics of your own: a folder like data/lens"}});
  table.add(
      {&LensOptions::protocol,
       core::ChoiceNames<Protocol>{{"chat", Protocol::Chat}, {"reference", Protocol::Reference}},
       {.name = "protocol",
        .value = "NAME",
        .sentence = "chat: both sides have chat histories; reference: the published "
                    "program's single messages"}});
  // -d is the dimension where dialogues are judged.
  table.include(&LensOptions::knowledge, make_demographics_table("d"), {"generate"});
  table.include(&LensOptions::knowledge, make_demographics_table(""), kJudging);
  table.include(&LensOptions::knowledge, make_knowledge_table());
  table.add({&LensOptions::sweep,
             {.name = "context_sweep",
              .value = "LIST",
              .sentence = "several contexts, paired: none,d,dp or all, where d, p and s are "
                          "demographics, past interactions and situation"}});
}

void add_dialogues(OptionTable<LensOptions>& table) {
  table.add({&LensOptions::assistant,
             {.name = "model",
              .short_flag = "m",
              .aliases = {"--model_id_asst"},
              .value = "MODEL",
              .stages = kHolding,
              .otherwise = "embedded/smollm2-135m if no key is set",
              .sentence = "model under test: provider/model (see `personascope models`)"}});
  table.add({&LensOptions::assistant,
             {.name = "model",
              .short_flag = "m",
              .aliases = {"--model_id_asst"},
              .value = "MODEL",
              .stages = {"evaluate"},
              .sentence = "the assistant whose dialogues are judged: its name when they were made, "
                          "or its folder"}});
  table.add({&LensOptions::user_model,
             {.name = "user_model",
              .short_flag = "u",
              .aliases = {"--model_id_user"},
              .value = "MODEL",
              .stages = kHolding,
              .otherwise = "the model under test",
              .sentence = "model that plays the user"}});
  table.add({&LensOptions::max_turns,
             {.name = "max_turns",
              .value = "N",
              .least = 1,
              .most = 1000,
              .stages = kHolding,
              .otherwise = "20; 30 across several domains",
              .sentence = "longest dialogue, in turns of both sides"}});
  table.add({&LensOptions::single_turns,
             {.name = "single_turns", .least = 1, .most = 1000, .stored_only = true}});
  table.add({&LensOptions::multi_turns,
             {.name = "multi_turns", .least = 1, .most = 1000, .stored_only = true}});
  table.add({&LensOptions::max_tokens,
             {.name = "max_output_tokens",
              .value = "N",
              .least = 1,
              .most = 1000000,
              .stages = kHolding,
              .sentence = "longest message, in tokens"}});
  table.add({&LensOptions::deployment,
             {.name = "deployment",
              .value = "ID",
              .stages = kHolding,
              .sentence =
                  "which deployment of the model under test is asked, such as a commit: answers of "
                  "another deployment are not re-used"}});
  table.add(
      {&LensOptions::fresh_answers,
       {.name = "fresh_answers",
        .excludes = {"fresh", "replay"},
        .stages = kHolding,
        .sentence = "ask the model under test again; verdicts on equal answers are re-used"}});
  table.add({&LensOptions::assistant_temperature,
             {.name = "temperature",
              .old_names = {"assistant_temperature"},
              .value = "T",
              .least = 0,
              .most = 2,
              .stages = kHolding,
              .sentence = "temperature of the assistant"}});
  table.add({&LensOptions::user_temperature,
             {.name = "user_temperature",
              .value = "T",
              .least = 0,
              .most = 2,
              .stages = kHolding,
              .sentence = "temperature of the simulated user"}});
}

void add_judging(OptionTable<LensOptions>& table) {
  table.add({&LensOptions::judges,
             {.name = "judges",
              .flag = "judge",
              .short_flag = "j",
              .aliases = {"-i", "--model_id_eval"},
              .value = "MODEL",
              .stages = kJudging,
              .otherwise = "embedded/smollm2-135m if no key is set",
              .sentence = "model that judges: provider/model; may be repeated for a panel"}});
  table.add({&LensOptions::dimensions, describe_dimensions("d", "evaluate")});
  table.add({&LensOptions::dimensions, describe_dimensions("", "run")});
  table.add({&LensOptions::side,
             core::ChoiceNames<JudgedSide>{{"user", JudgedSide::User},
                                           {"assistant", JudgedSide::Assistant},
                                           {"both", JudgedSide::Both}},
             {.name = "side",
              .value = "SIDE",
              .stages = kJudging,
              .sentence = "whose naturalness and coherence is judged"}});
  table.include(&LensOptions::judging, judge::judging_options(), kJudging);
  table.add(judge::make_panel_row(&LensOptions::rule, kJudging));
  table.include(&LensOptions::judging, judge::judge_sampling_options(), kJudging);
  table.add({&LensOptions::canaries,
             {.name = "canaries",
              .value = "N",
              .least = 0,
              .most = 100000,
              .stages = kJudging,
              .sentence =
                  "also judge N dialogues with canary answers (worthless test answers); 0 = off"}});
  table.add({&LensOptions::reader,
             {.name = "reader",
              .value = "MODEL",
              .stages = kJudging,
              .otherwise = "none",
              .sentence = "model that computes the profile's lift from likelihoods, e.g. "
                          "embedded/smollm2-135m or vllm/…"}});
  table.add({&LensOptions::readings,
             {.name = "readings",
              .value = "N",
              .least = 0,
              .most = 1000000,
              .stages = kJudging,
              .sentence = "dialogues whose lift is computed"}});
}

core::OptionSpec describe_tree(const std::string& stage, const std::string& otherwise,
                               const std::string& sentence) {
  return {.name = "tree",
          .flag = "output",
          .short_flag = "o",
          .value = "DIR",
          .stages = {stage},
          .otherwise = otherwise,
          .sentence = sentence};
}

}  // namespace

const OptionTable<LensOptions>& lens_options() {
  static const OptionTable<LensOptions> table = [] {
    OptionTable<LensOptions> rows{};
    add_scenario(rows);
    add_dialogues(rows);
    add_judging(rows);
    rows.add({&LensOptions::tree,
              describe_tree("run", "", "folder for dialogues and verdicts in the published form")});
    rows.add({&LensOptions::tree, describe_tree("generate", "output", "folder for the dialogues")});
    rows.add({&LensOptions::tree,
              describe_tree("evaluate", "output", "folder of the dialogues and for the verdicts")});
    return rows;
  }();
  return table;
}

}  // namespace personascope::eval::personalens
