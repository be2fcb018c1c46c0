#include "cli/program.hpp"

#include <fmt/format.h>

#include <array>
#include <exception>
#include <string>
#include <vector>

#include "app/version.hpp"
#include "cli/command.hpp"

namespace personascope::cli {
namespace {

// Every command, in the order of the help text.
constexpr std::array kCommands{add_batch, add_ask,     add_models,       add_doctor, add_runs,
                               add_show,  add_resume,  add_rescore,      add_explain_miss};

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

}  // namespace

int run(int argc, char** argv) {
  CLI::App program{"Personascope: measure how well models play, answer for and serve personas."};
  program.name("personascope");
  program.set_version_flag("--version", std::string(app::version()));
  program.require_subcommand(1);
  program.footer(kFooter);
  for (const auto add : kCommands) add(program);
  program.add_subcommand("estimate", "Say what a command would take: `estimate batch …`");

  std::vector<std::string> words = rewrite(argc, argv);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    program.parse(std::move(words));
    return kDone;
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    // --help and --version are "errors" with exit code 0.
    return program.exit(error) == 0 ? kDone : kWrongUse;
  } catch (const std::exception& error) {
    fmt::print(stderr, "personascope: a defect of the program: {}\n", error.what());
    return kNotDone;
  }
}

}  // namespace personascope::cli
