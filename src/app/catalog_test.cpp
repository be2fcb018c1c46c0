#include "app/catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace personascope::app {
namespace {

TEST(Catalog, EveryCommandHasItsOptionsOnceAndDescribed) {
  ASSERT_FALSE(list_commands().empty());
  for (const Command& command : list_commands()) {
    std::set<std::string> names, flags, letters;
    for (const core::OptionSpec& spec : command.options) {
      EXPECT_TRUE(names.insert(spec.name).second) << command.name << " " << spec.name;
      EXPECT_FALSE(spec.sentence.empty()) << command.name << " " << spec.name;
      EXPECT_EQ(spec.sentence.find("--"), std::string::npos) << spec.sentence;
      if (spec.positional) continue;
      EXPECT_TRUE(flags.insert(core::flag_of(spec)).second) << command.name << " " << spec.name;
      for (const std::string& alias : spec.aliases)
        EXPECT_TRUE(flags.insert(alias).second) << command.name << " " << alias;
      EXPECT_TRUE(spec.short_flag.empty() || letters.insert(spec.short_flag).second)
          << command.name << " " << spec.name;
      EXPECT_TRUE(spec.kind == core::OptionKind::Switch || !spec.value.empty())
          << command.name << " " << spec.name;
    }
    EXPECT_FALSE(command.sentence.empty());
  }
}

TEST(Catalog, EveryOptionThatASentenceNamesIsOneOfTheCommand) {
  for (const Command& command : list_commands())
    for (const core::OptionSpec& spec : command.options)
      core::rename_options(spec.sentence, [&](std::string_view name) -> std::optional<std::string> {
        const bool is_command = name.find(' ') != name.npos;
        const bool is_known = std::ranges::find(command.options, name, &core::OptionSpec::name) !=
                              command.options.end();
        EXPECT_TRUE(is_command || is_known) << command.name << ": " << spec.sentence;
        return std::nullopt;
      });
}

TEST(Catalog, NoOptionTakesAVariableThatMeansSomethingElse) {
  const std::set<std::string> taken{"PERSONASCOPE_DATA", "PERSONASCOPE_HOME", "PERSONASCOPE_MODELS",
                                    "PERSONASCOPE_PARQUET_ROWS", "PERSONASCOPE_RSVG_CONVERT"};
  for (const Command& command : list_commands())
    for (const core::OptionSpec& spec : command.options)
      EXPECT_FALSE(spec.from_variable && taken.contains(core::variable_of(spec)))
          << command.name << " " << spec.name;
}

TEST(Catalog, UnknownOptionsAreRefusedBeforeAnythingElse) {
  auto context = Context::create({.store = ":memory:", .prices = std::nullopt});
  ASSERT_TRUE(context) << context.error().message;
  for (const Command& command : list_commands()) {
    const auto estimate = command.estimate(**context, {{"modle", "openai/a"}});
    ASSERT_FALSE(estimate) << command.name;
    EXPECT_EQ(estimate.error().kind, ErrorKind::Invalid);
    EXPECT_NE(estimate.error().message.find("there is no option modle"), std::string::npos)
        << command.name << ": " << estimate.error().message;
  }
}

TEST(Catalog, FindsAnOptionOfAnyCommand) {
  ASSERT_TRUE(find_option("max_cost"));
  EXPECT_EQ(core::flag_of(*find_option("max_cost")), "--max-cost");
  EXPECT_FALSE(find_option("no_such_option"));
}

}  // namespace
}  // namespace personascope::app
