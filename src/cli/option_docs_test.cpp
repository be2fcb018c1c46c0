#include "cli/option_docs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "app/catalog.hpp"

namespace personascope::cli {
namespace {

std::string load(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// To write the tables: PERSONASCOPE_WRITE_DOCS=1 build/dev/bin/cli_test
TEST(OptionDocs, TheTablesInTheDocumentationAreThoseOfTheOptions) {
  const std::string path = PERSONASCOPE_DOCS "/cli.md";
  const std::string text = load(path);
  ASSERT_NE(text.find("<!-- options engine -->"), std::string::npos) << path;
  const std::string wanted = fill_option_docs(text);
  if (std::getenv("PERSONASCOPE_WRITE_DOCS")) std::ofstream(path, std::ios::binary) << wanted;
  EXPECT_TRUE(load(path) == wanted)
      << "docs/cli.md is not up to date: PERSONASCOPE_WRITE_DOCS=1 and this test write it";
}

TEST(OptionDocs, EveryCommandOfTheCatalogHasATable) {
  const std::string text = load(PERSONASCOPE_DOCS "/cli.md");
  for (const app::Command& command : app::list_commands()) {
    const std::string group = command.name.substr(0, command.name.find(' '));
    EXPECT_NE(text.find("<!-- options " + group + " -->"), std::string::npos) << group;
  }
}

TEST(OptionDocs, ATableHasEveryFlagWithItsDefault) {
  const std::string table = render_option_docs("engine");
  EXPECT_NE(table.find("| `--rpm N` | at most N calls per minute |"), std::string::npos) << table;
  EXPECT_NE(table.find("| `--max-retries N` | retries after the first attempt (default 8) |"),
            std::string::npos);
  EXPECT_EQ(table.find("bedrock"), std::string::npos);
}

TEST(OptionDocs, AnOptionNamesTheCommandsThatHaveIt) {
  const std::string table = render_option_docs("gym");
  EXPECT_NE(table.find("| `--epochs N` | answers per question (default 1) | run, answer |"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("| `--limit N` | only the first N personas | all |"), std::string::npos);
}

TEST(OptionDocs, TextOutsideTheMarksStays) {
  EXPECT_EQ(fill_option_docs("a\n<!-- options nothing -->\nold\n<!-- end of options -->\nb\n"),
            "a\n<!-- options nothing -->\n| option | |\n|---|---|\n<!-- end of options -->\nb\n");
  EXPECT_EQ(fill_option_docs("<!-- options gym -->\nunclosed"), "<!-- options gym -->\nunclosed");
}

}  // namespace
}  // namespace personascope::cli
