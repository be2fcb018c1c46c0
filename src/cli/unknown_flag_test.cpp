#include "cli/unknown_flag.hpp"

#include <gtest/gtest.h>

namespace personascope::cli {
namespace {

struct Sample {
  Sample() {
    program.name("personascope");
    group = program.add_subcommand("gym", "A group");
    command = group->add_subcommand("run", "Runs");
    command->add_option("--limit", limit);
    command->add_option("--max-cost", limit);
    command->add_option("--max-connections", limit);
    command->add_option("-o,--output", limit);
  }
  CLI::App program{"A program"};
  CLI::App* group = nullptr;
  CLI::App* command = nullptr;
  std::string limit;
};

TEST(UnknownFlag, IsNamedWithTheWholeCommandAndANearFlag) {
  Sample sample;
  EXPECT_EQ(find_unknown_flag(*sample.command, {"gym", "run", "--limt=3"}),
            "personascope gym run has no flag --limt; did you mean --limit?");
  EXPECT_EQ(find_unknown_flag(*sample.command, {"gym", "run", "--cost", "3"}),
            "personascope gym run has no flag --cost; did you mean --max-cost?");
  EXPECT_EQ(find_unknown_flag(*sample.command, {"gym", "run", "--wonderful", "x"}),
            "personascope gym run has no flag --wonderful");
  EXPECT_EQ(find_unknown_flag(*sample.command, {"gym", "run", "-x"}),
            "personascope gym run has no flag -x");
}

TEST(UnknownFlag, IsNotSeenAmongKnownFlagsAndValues) {
  Sample sample;
  EXPECT_EQ(find_unknown_flag(*sample.command, {"gym", "run", "7", "-o", "-", "--limit", "-3"}),
            std::nullopt);
  EXPECT_EQ(find_unknown_flag(*sample.command, {"gym", "run", "--", "--wonderful"}), std::nullopt);
}

TEST(UnknownFlag, OfOtherProgramsPointsToWhatThereIs) {
  Sample sample;
  const auto said = [&](const std::string& flag) {
    return find_unknown_flag(*sample.command, {flag}).value_or("");
  };
  EXPECT_NE(said("--workers").find("; --max-connections N limits"), std::string::npos);
  EXPECT_NE(said("--concurrency=8").find("; --max-connections N limits"), std::string::npos);
  EXPECT_NE(said("--format").find("-o FILE.csv"), std::string::npos);
  EXPECT_NE(said("--verbose").find("--prompts"), std::string::npos);
  EXPECT_NE(said("-v").find("--prompts"), std::string::npos);
  // The command has no --fresh, so it is not named.
  EXPECT_EQ(said("--no-cache"), "personascope gym run has no flag --no-cache");
  EXPECT_EQ(said("--api-key=sk-secret").find("sk-secret"), std::string::npos);
}

TEST(UnknownFlag, OfAGroupNamesTheCommandThatHasIt) {
  Sample sample;
  EXPECT_EQ(find_unknown_flag(*sample.group, {"gym", "--limit", "2"}),
            "personascope gym has no flag --limit; personascope gym run has it");
}

}  // namespace
}  // namespace personascope::cli
