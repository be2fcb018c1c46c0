#include "cli/help.hpp"

#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace personascope::cli {
namespace {

struct Sample {
  Sample() {
    program.formatter(std::make_shared<HelpText>());
    command = program.add_subcommand("show", "Shows things");
    add_run_argument(*command, run);
    add_flag_with_value(*command, "-m,--model", model, "who answers")
        ->required()
        ->type_name("MODEL");
    add_flag_with_value(*command, "--limit", limit, "how many")
        ->type_name("N")
        ->check(CLI::Range(1, 10));
    add_flag_with_value(*command, "--outcome", outcome, "only these")
        ->check(CLI::IsMember({"ok", "failed"}));
  }
  CLI::App program{"A program"};
  CLI::App* command = nullptr;
  std::int64_t run = 0;
  std::int64_t limit = 0;
  std::string model;
  std::string outcome;
};

TEST(HelpText, HasALineAFlagWithWhatItTakes) {
  Sample sample;
  const std::string text = sample.command->help();
  const char* lines[] = {"  RUN                         the run's number (see",
                         "  -m,--model MODEL            who answers; required\n",
                         "  --limit N                   how many\n",
                         "  --outcome ok|failed         only these\n"};
  for (const char* line : lines) EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_EQ(text.find("\n\n\n"), std::string::npos) << text;
}

TEST(HelpText, FitsATerminal) {
  EXPECT_EQ(fit_help("  --limit N                   how many items are shown\n", 46),
            "  --limit N                   how many items\n"
            "                              are shown\n");
  EXPECT_EQ(fit_help("  personascope show 7 --item a --json      # one item whole\n", 30),
            "  # one item whole\n"
            "  personascope show 7 --item \\\n"
            "      a --json\n");
  EXPECT_EQ(fit_help("Short.\n\nStored runs of the gym\n", 14),
            "Short.\n\nStored runs of\nthe gym\n");
}

TEST(RunArgument, IsANumber) {
  for (const std::string text : {"abc", "-1", "", "1.5", "99999999999999999999"}) {
    Sample sample;
    EXPECT_THROW(sample.program.parse(std::vector<std::string>{"x", "-m", text, "show"}),
                 CLI::ParseError)
        << text;
  }
  Sample sample;
  sample.program.parse(std::vector<std::string>{"x", "-m", "12", "show"});
  EXPECT_EQ(sample.run, 12);
}

}  // namespace
}  // namespace personascope::cli
