#include "cli/bench.hpp"

#include "app/bench.hpp"
#include "cli/estimate_table.hpp"
#include "cli/run_command.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kBenchExamples =
    R"(  personascope bench main --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench main -n 3                        # our own personas and questions, no key needed
  personascope bench loo --help

Does an answer fit this user? A critic says whether it needs a revision; the score is the share of
answers that need none.)";

constexpr const char* kMainExamples =
    R"(  personascope bench main --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench main --mode all --model openai/gpt-4o-mini --judge openai/gpt-4o -n 100
  personascope bench main --personas mine.csv --questions mine.jsonl --model vllm/my-model \
      --base-url http://localhost:8000/v1 --judge openai/gpt-4o -o items.jsonl
  personascope bench main --critic all --model openai/gpt-4o-mini --judge openai/gpt-4o -n 100
  personascope bench main --protocol reference --prompts persona_bench/tooling --model gpt-4o-mini --judge gpt-4o
  personascope estimate bench main --model openai/gpt-4o-mini --judge openai/gpt-4o)";

constexpr const char* kLooExamples =
    R"(  personascope bench loo --attribute religion --attribute income --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench loo --attributes examples/example_loo.json --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench loo --reader embedded/smollm2-135m --model openai/gpt-4o-mini --judge openai/gpt-4o

Each question is answered for the whole persona, and again without each attribute. The critic always
sees the whole persona. Without --attribute and --attributes: every attribute. With --reader the
answers to the whole persona are also read without each attribute: how much less likely they get.)";

constexpr const char* kIntersectionalityExamples =
    R"(  personascope bench intersectionality --population 'age 18-34 & sex=Female' --population 'employment status=Retired|Student' \
      --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench intersectionality --populations examples/example_intersections.json \
      --model openai/gpt-4o-mini --judge openai/gpt-4o

Each population is compared with everyone who is not in it.)";

constexpr const char* kPassAtKExamples =
    R"(  personascope bench pass-at-k -k 16 -n 50 --model openai/gpt-4o-mini --judge openai/gpt-4o --csv curve.csv

k drafts a question, independent of each other and each judged alone.)";

constexpr const char* kComparisonExamples =
    R"(  personascope bench comparison --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench comparison --model openai/gpt-4o-mini --judge none    # without the open answers

Questions whose right answer differs between two users. Choices, numbers and sets are checked
without a judge.)";

struct BenchFlags {
  CommonFlags common;
  app::BenchCommand command;
  std::string pairs = "index";
  std::string protocol = "strict";
  bool estimate = false;
};

using Flags = std::shared_ptr<BenchFlags>;

app::BenchCommand make_command(const BenchFlags& flags) {
  app::BenchCommand command = flags.command;
  command.random_pairs = flags.pairs == "random";
  command.reference = flags.protocol == "reference";
  return command;
}

int carry_out(const BenchFlags& flags) {
  if (flags.estimate)
    return show_estimates(flags.common, [&](app::Context& context) {
      return app::estimate_bench(context, make_command(flags));
    });
  return watch_run(flags.common, [&](app::Context& context, const app::Listener& listener) {
    return app::start_bench(context, make_command(flags), listener);
  });
}

void add_judge_flag(CLI::App& command, std::string& judge, const std::string& help) {
  add_flag_with_value(command, "-j,--judge", judge, help)->type_name("MODEL");
}

void add_data_flags(CLI::App& command, BenchFlags& flags) {
  app::BenchCommand& wanted = flags.command;
  add_flag_with_value(command, "--personas", wanted.personas,
                      "a table of personas, a column an attribute: CSV or JSONL (300 of our own)")
      ->type_name("FILE");
  add_flag_with_value(command, "--questions", wanted.questions,
                      "a table with a column \"question\" (226 of our own)")
      ->type_name("FILE");
  add_flag_with_value(command, "--pairs", flags.pairs,
                      "index: the i-th question with the i-th persona; random: shuffled by the "
                      "seed (index)")
      ->type_name("HOW")
      ->check(CLI::IsMember({"index", "random"}));
}

void add_mode_flag(CLI::App& command, std::string& mode, const std::string& also) {
  add_flag_with_value(command, "--mode", mode,
                      "what the model is shown and writes: baseline, output_only, chain_of_thought "
                      "or demographic_summary" +
                          also + " (output_only)")
      ->type_name("MODE");
}

void add_sampling_flags(CLI::App& command, app::BenchCommand& wanted, const std::string& limit) {
  add_flag_with_value(command, "-n,--limit", wanted.limit, limit)
      ->type_name("N")
      ->check(CLI::Range(1, 10000000));
  add_flag_with_value(command, "--seed", wanted.seed, "of every random choice (0)")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  add_flag_with_value(command, "--temperature", wanted.temperature, "of the answers (1)")
      ->type_name("T")
      ->check(CLI::Range(0.0, 2.0));
  add_flag_with_value(command, "--max-output-tokens", wanted.max_tokens,
                      "the longest answer (1500)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
}

void add_epochs_flag(CLI::App& command, app::BenchCommand& wanted) {
  add_flag_with_value(command, "--epochs", wanted.epochs, "answer every question so often (1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
}

void add_last_flags(CLI::App& command, BenchFlags& flags) {
  add_flag_with_value(command, "-o,--output", flags.command.output,
                      "a file with a line an item; - for standard output")
      ->type_name("FILE");
  command.add_flag("--estimate", flags.estimate,
                   "only say what it would take: calls, tokens, money");
  add_engine_flags(command, flags.command.engine);
  add_common_flags(command, flags.common);
}

// A command with the flags that the evaluations by a critic share.
CLI::App* add_evaluation(CLI::App& bench, app::BenchKind kind, const std::string& name,
                         const std::string& summary, const char* examples, const Flags& flags) {
  flags->command.kind = kind;
  CLI::App* command =
      add_command(bench, name, summary, examples, [flags] { return carry_out(*flags); });
  add_model_flags(*command, flags->command.model, flags->command.base_url);
  return command;
}

void add_critic_flags(CLI::App& command, BenchFlags& flags) {
  app::BenchCommand& wanted = flags.command;
  add_judge_flag(command, wanted.judge,
                 "the critic: provider/model; with no key set, embedded/smollm2-135m");
  add_list_flag(
      command, "--critic", wanted.critics,
      "single: one call stages a debate; debate: two speakers and a closing judge; direct: "
      "a plain verdict; give it again, or all, to compare them on the same answers (single)")
      ->type_name("HOW");
  add_flag_with_value(command, "--controls", wanted.controls,
                      "answer so many pairs again with no persona and with another's: all, none or "
                      "a number (20)")
      ->type_name("N");
  add_flag_with_value(command, "--canaries", wanted.canaries,
                      "for so many pairs, have the critic judge canary answers too; 0: none (2)")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
  add_flag_with_value(
      command, "--reader", wanted.reader,
      "who reads how likely the answers of controlled pairs are for their users: an embedded model "
      "or vllm/…; none: nobody (an embedded model; for loo: none)")
      ->type_name("MODEL");
  add_flag_with_value(command, "--protocol", flags.protocol,
                      "strict: ours; reference: the calls and arithmetic of the published package "
                      "(strict)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"strict", "reference"}));
  add_flag_with_value(command, "--prompts", wanted.prompts,
                      "with --protocol reference: the folder of the published package's prompts.py "
                      "(our own prompts)")
      ->type_name("DIR");
  add_flag_with_value(command, "--parser", wanted.parser,
                      "with --protocol reference: who puts answers and critiques into form "
                      "(openai/gpt-4o)")
      ->type_name("MODEL");
}

void add_main(CLI::App& bench) {
  const auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = add_evaluation(bench, app::BenchKind::Main, "main",
                                     "How many answers fit their users", kMainExamples, flags);
  add_critic_flags(*command, *flags);
  add_mode_flag(*command, flags->command.mode, "; all: the four on the same pairs, compared");
  add_data_flags(*command, *flags);
  add_sampling_flags(*command, flags->command, "so many pairs of persona and question (300)");
  add_epochs_flag(*command, flags->command);
  add_last_flags(*command, *flags);
}

void add_loo(CLI::App& bench) {
  const auto flags = std::make_shared<BenchFlags>();
  CLI::App* command =
      add_evaluation(bench, app::BenchKind::Loo, "loo", "What each attribute does: leave one out",
                     kLooExamples, flags);
  add_critic_flags(*command, *flags);
  add_list_flag(*command, "--attribute", flags->command.attributes,
                "an attribute to leave out, besides those of --attributes; may be given again")
      ->type_name("NAME");
  add_flag_with_value(*command, "--attributes", flags->command.attributes_file,
                      "a file {\"attributes\": [names]} (the variable LOO_JSON)")
      ->type_name("FILE");
  add_mode_flag(*command, flags->command.mode, "");
  add_data_flags(*command, *flags);
  add_sampling_flags(*command, flags->command, "so many pairs of persona and question (30)");
  add_epochs_flag(*command, flags->command);
  add_last_flags(*command, *flags);
}

void add_intersectionality(CLI::App& bench) {
  const auto flags = std::make_shared<BenchFlags>();
  CLI::App* command =
      add_evaluation(bench, app::BenchKind::Intersectionality, "intersectionality",
                     "For whom it works less well", kIntersectionalityExamples, flags);
  add_critic_flags(*command, *flags);
  add_list_flag(
      *command, "--population", flags->command.populations,
      "conditions joined by &: 'age 18-34 & sex=Female', 'race=Black|Asian', 'age=18-34|65-80'; "
      "may be given again")
      ->type_name("TEXT");
  add_flag_with_value(*command, "--populations", flags->command.populations_file,
                      "a JSON file of populations (the variable INTERSECTION_JSON)")
      ->type_name("FILE");
  add_mode_flag(*command, flags->command.mode, "");
  add_data_flags(*command, *flags);
  add_sampling_flags(*command, flags->command, "so many pairs of persona and question (300)");
  add_epochs_flag(*command, flags->command);
  add_last_flags(*command, *flags);
}

void add_pass_at_k(CLI::App& bench) {
  const auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = add_evaluation(bench, app::BenchKind::PassAtK, "pass-at-k",
                                     "How many drafts it takes", kPassAtKExamples, flags);
  add_critic_flags(*command, *flags);
  add_flag_with_value(*command, "-k,--drafts", flags->command.k, "drafts a question (16)")
      ->type_name("K")
      ->check(CLI::Range(1, 1000));
  add_flag_with_value(*command, "--csv", flags->command.csv,
                      "write the curve there, as k,cum_score")
      ->type_name("FILE");
  add_mode_flag(*command, flags->command.mode, "");
  add_data_flags(*command, *flags);
  add_sampling_flags(*command, flags->command, "so many pairs of persona and question (50)");
  add_last_flags(*command, *flags);
}

void add_comparison(CLI::App& bench) {
  const auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = add_evaluation(bench, app::BenchKind::Comparison, "comparison",
                                     "Whether the answer changes with the user where it must",
                                     kComparisonExamples, flags);
  add_judge_flag(*command, flags->command.judge,
                 "who compares open answers with the right one; none: they are left out");
  add_flag_with_value(*command, "--comparisons", flags->command.questions,
                      "a JSONL file of pairs (95 of our own)")
      ->type_name("FILE");
  add_sampling_flags(*command, flags->command, "the first N pairs only");
  add_epochs_flag(*command, flags->command);
  add_last_flags(*command, *flags);
}

}  // namespace

void add_bench(CLI::App& program) {
  CLI::App* bench = add_group(program, "bench", "Does an answer fit this user?", kBenchExamples);
  add_main(*bench);
  add_loo(*bench);
  add_intersectionality(*bench);
  add_pass_at_k(*bench);
  add_comparison(*bench);
  add_bench_personas(*bench);
}

}  // namespace personascope::cli
