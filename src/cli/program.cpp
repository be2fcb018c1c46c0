#include "cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "app/version.hpp"
#include "base/open_files.hpp"
#include "base/secret.hpp"
#include "base/text.hpp"
#include "cli/catalog_command.hpp"
#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/lens_words.hpp"
#include "cli/terminal.hpp"
#include "cli/unknown_flag.hpp"

namespace personascope::cli {
namespace {

// Every command, in the order of the help text.
constexpr std::array kCommands{
    add_gym,    add_bench,   add_lens,      add_batch,        add_judge,      add_lift,
    add_ask,    add_models,  add_doctor,    add_runs,         add_show,       add_tag,
    add_delete, add_resume,  add_rescore,   add_explain_miss, add_export,     add_report,
    add_plot,   add_compare, add_agreement, add_calibrate,    add_judge_card, add_plan,
    add_card,   add_import,  add_store,     add_completion,   add_man,        add_help,
    add_version};

// Those that `estimate` knows, beside the evaluations.
constexpr std::array<std::string_view, 3> kEstimated{"batch", "judge", "lift"};

constexpr const char* kFooter =
    R"(`personascope help COMMAND` explains a command with examples. `personascope estimate COMMAND …` says
what it would take. Flags are also variables: --max-cost is PERSONASCOPE_MAX_COST.
Exit codes: 0 done, 1 not done, 2 wrong use or bad input, 100 a threshold is missed, 130 interrupted.)";

// `estimate batch …` is `batch --estimate …`, `estimate gym run …` is `gym run --estimate …` (so
// with lens), and `judge card …` is `judge-card …`.
std::vector<std::string> rewrite(int argc, char** argv) {
  std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (words.size() >= 3 && words[0] == "help" && words[1] == "judge" && words[2] == "card")
    words = {"help", "judge-card"};
  if (words.size() >= 2 && words[0] == "estimate" &&
      std::ranges::find(kEstimated, words[1]) != kEstimated.end()) {
    words.erase(words.begin());
    words.insert(words.begin() + 1, "--estimate");
  }
  if (words.size() == 2 && words[0] == "estimate" &&
      (words[1] == "gym" || words[1] == "bench" || words[1] == "lens"))
    words.erase(words.begin());
  if (words.size() >= 3 && words[0] == "estimate" &&
      (words[1] == "gym" || words[1] == "bench" || words[1] == "lens")) {
    words.erase(words.begin());
    words.insert(words.begin() + 2, "--estimate");
  }
  if (words.size() >= 2 && words[0] == "judge" && words[1] == "card") {
    words.erase(words.begin());
    words[0] = "judge-card";
  }
  return rewrite_lens_words(std::move(words));
}

constexpr const char* kEstimateExamples =
    R"(  personascope estimate batch requests.jsonl --model openai/gpt-4o
  personascope estimate batch requests.jsonl --model openai/gpt-4o --json
  personascope estimate judge answers.jsonl --rubric r.yaml --judge openai/gpt-4o
  personascope estimate gym run --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope estimate bench main --model openai/gpt-4o-mini --judge openai/gpt-4o)";

constexpr const char* kOnlyThese =
    "only batch, judge, lift, gym, bench and lens can be estimated: `personascope estimate batch "
    "…`";

constexpr const char* kEmpty = "its value is empty; is a variable unset?";

// In every flag and argument of every command, before anything else is said about the value.
void refuse_empty_values(CLI::App& command) {
  const CLI::Validator not_empty(
      [](std::string& text) { return std::string(text.empty() ? kEmpty : ""); }, "");
  for (CLI::Option* option : command.get_options()) option->transform(not_empty);
  for (CLI::App* below : command.get_subcommands([](CLI::App*) { return true; }))
    refuse_empty_values(*below);
}

// CLI11 takes the word after "--flag=" for its value.
std::optional<std::string> find_empty_value(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.starts_with("--") && word.size() > 3 && word.find('=') == word.size() - 1)
      return fmt::format("{}: {}", word.substr(0, word.size() - 1), kEmpty);
  return std::nullopt;
}

// The command that was named, as far as it was understood.
const CLI::App& find_used(const CLI::App& program) {
  const CLI::App* used = &program;
  while (!used->get_subcommands().empty()) used = used->get_subcommands().front();
  return *used;
}

// The command line may hold a password, and CLI11 quotes what it does not understand.
int report_wrong_use(const std::string& message, const CLI::App& program,
                     const std::vector<std::string>& words) {
  CommonFlags flags;
  flags.json = std::ranges::find(words, "--json") != words.end();
  return report({ErrorKind::Invalid,
                 fmt::format("{} (see `{} --help`)", trim(without_url_credentials(message)),
                             full_name_of(find_used(program)))},
                flags);
}

std::string suggest(const std::string& word, const std::vector<std::string>& known,
                    const std::string& otherwise) {
  const auto near = near_matches(word, known);
  return near.empty() ? otherwise : fmt::format("; did you mean {}?", near.front());
}

// CLI11 says only that a command is missing.
std::optional<std::string> find_wrong_command(const CLI::App& program,
                                              const std::vector<std::string>& words) {
  if (words[0] == "estimate" && words.size() > 1 && !words[1].starts_with('-')) return kOnlyThese;
  if (words[0].starts_with('-')) return std::nullopt;
  std::vector<std::string> known;
  for (const CLI::App* command : program.get_subcommands({})) known.push_back(command->get_name());
  if (std::ranges::find(known, words[0]) == known.end())
    return fmt::format("there is no command \"{}\"{}", words[0], suggest(words[0], known, ""));
  const CLI::App& group = *program.get_subcommand(words[0]);
  if (group.get_require_subcommand_min() == 0 || words.size() < 2 || words[1].starts_with('-'))
    return std::nullopt;
  known.clear();
  for (const CLI::App* command : group.get_subcommands({})) known.push_back(command->get_name());
  if (std::ranges::find(known, words[1]) != known.end()) return std::nullopt;
  return fmt::format("{} has no command \"{}\"{}", full_name_of(group), words[1],
                     suggest(words[1], known, fmt::format("; it has {}", join(known, ", "))));
}

// The names of the command and no more, where it needs more: its help is what is wanted.
bool names_command_only(const CLI::App& used, const std::vector<std::string>& words) {
  return full_name_of(used) == "personascope " + join(words, " ");
}

int answer_parse_error(const CLI::ParseError& error, const CLI::App& program,
                       const std::vector<std::string>& words) {
  const CLI::App& used = find_used(program);
  if (names_command_only(used, words)) {
    say("{}", program.help());
    if (used.get_require_subcommand_min() > 0) return kWrongUse;
    say("\n");
    return report_wrong_use(error.what(), program, words);
  }
  if (&used != &program)  // a misspelt flag may be the very one that is missing
    if (const auto unknown = find_unknown_flag(used, words))
      return report_wrong_use(*unknown, program, words);
  return report_wrong_use(error.what(), program, words);
}

int report_defect(const char* what) {
  say("personascope: internal error: {}\n", what);
  return kNotDone;
}

// An exception on the event loop cannot be caught: see sched/loop.hpp. What was answered is
// committed.
[[noreturn]] void end_by_defect() {
  try {
    if (const auto failure = std::current_exception()) std::rethrow_exception(failure);
    report_defect("the program was aborted");
  } catch (const std::exception& error) {
    report_defect(error.what());
  } catch (...) {
    report_defect("an exception of unknown kind");
  }
  std::_Exit(kNotDone);
}

}  // namespace

int run(int argc, char** argv) {
  std::set_terminate(end_by_defect);
  raise_open_file_limit();
  const std::vector<std::string> words = rewrite(argc, argv);
  CLI::App program{"Personascope: measure how well models play, answer for and serve personas."};
  program.name("personascope");
  program.set_version_flag("-V,--version", std::string(app::version()));
  program.require_subcommand(1);
  program.footer(kFooter);
  program.formatter(std::make_shared<HelpText>());  // before the commands, which inherit it
  for (const auto add : kCommands) add(program);
  add_other_evaluations(program);
  add_command(program, "estimate",
              "Estimate calls, tokens and cost of a command: `estimate batch …`", kEstimateExamples,
              [&] {
                say("{}", program.help());
                return kWrongUse;
              });

  refuse_empty_values(program);

  if (words.empty()) {
    say("{}", program.help());
    return kWrongUse;
  }
  if (const auto wrong = find_wrong_command(program, words))
    return report_wrong_use(*wrong, program, words);
  if (const auto empty = find_empty_value(words)) return report_wrong_use(*empty, program, words);
  try {
    // CLI11 takes them from the back.
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return kDone;
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    // --help and --version are "errors" with exit code 0.
    return error.get_exit_code() == 0 ? program.exit(error)
                                      : answer_parse_error(error, program, words);
  } catch (const std::exception& error) {
    return report_defect(error.what());
  }
}

}  // namespace personascope::cli
