#include "cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "app/version.hpp"
#include "base/secret.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"

namespace personascope::cli {
namespace {

// Every command, in the order of the help text.
constexpr std::array kCommands{add_batch, add_ask,    add_models,  add_doctor,      add_runs,
                               add_show,  add_resume, add_rescore, add_explain_miss};

constexpr const char* kFooter =
    R"(`personascope COMMAND --help` explains a command with examples. `personascope estimate COMMAND …` says
what it would take. Every flag is also a variable: --max-cost is PERSONASCOPE_MAX_COST.
Exit codes: 0 done, 1 not done, 2 wrong use or bad input, 130 interrupted.)";

// `estimate batch …` is `batch --estimate …`.
std::vector<std::string> rewrite(int argc, char** argv) {
  std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (words.size() >= 2 && words[0] == "estimate" && words[1] != "--help" && words[1] != "-h") {
    words.erase(words.begin());
    words.insert(words.begin() + 1, "--estimate");
  }
  return words;
}

constexpr const char* kEstimateExamples =
    R"(  personascope estimate batch requests.jsonl --model openai/gpt-4o
  personascope estimate batch requests.jsonl --model openai/gpt-4o --json)";

// `estimate` without a command; the others are rewritten before.
int refuse_estimate() {
  return report({ErrorKind::Invalid, "say what to estimate, e.g. `personascope estimate batch …`"},
                {});
}

// The command line may hold a password, and CLI11 quotes what it does not understand.
int report_wrong_use(const std::string& message) {
  return report({ErrorKind::Invalid,
                 fmt::format("{} (--help explains)", trim(without_url_credentials(message)))},
                {});
}

// CLI11 says only that a command is missing.
std::optional<std::string> find_unknown_command(const CLI::App& program,
                                                const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with('-')) return std::nullopt;
  std::vector<std::string> known;
  for (const CLI::App* command : program.get_subcommands({})) known.push_back(command->get_name());
  if (std::ranges::find(known, words[0]) != known.end()) return std::nullopt;
  const auto near = near_matches(words[0], known);
  return fmt::format("there is no command \"{}\"{}", words[0],
                     near.empty() ? "" : fmt::format("; did you mean {}?", near.front()));
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App program{"Personascope: measure how well models play, answer for and serve personas."};
  program.name("personascope");
  program.set_version_flag("--version", std::string(app::version()));
  program.require_subcommand(1);
  program.footer(kFooter);
  for (const auto add : kCommands) add(program);
  add_command(program, "estimate", "Say what a command would take: `estimate batch …`",
              kEstimateExamples, refuse_estimate);

  std::vector<std::string> words = rewrite(argc, argv);
  if (const auto unknown = find_unknown_command(program, words)) return report_wrong_use(*unknown);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    program.parse(std::move(words));
    return kDone;
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    // --help and --version are "errors" with exit code 0.
    return error.get_exit_code() == 0 ? program.exit(error) : report_wrong_use(error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "personascope: a defect of the program: {}\n", error.what());
    return kNotDone;
  }
}

}  // namespace personascope::cli
