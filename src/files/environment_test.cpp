#include "files/environment.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <string>

#include "files/testing/temporary_folder.hpp"

namespace personascope::files {
namespace {

using Variables = std::map<std::string, std::string>;

TEST(Environment, ReadsEveryFormOfALine) {
  const auto variables = parse_dotenv(
      "# a comment\n"
      "\n"
      "PLAIN=value\n"
      "  SPACED  =  two words  \n"
      "export EXPORTED=yes\n"
      "EMPTY=\n"
      "DOUBLE=\"a # b = 'c'\"  # why\n"
      "SINGLE='a \"b\" '\n"
      "HASH=a#b\n"
      "COMMENT=a #b\n"
      "TABBED=a\t# b\n"
      "ONLY_COMMENT= # b\n"
      "EQUALS=a=b==\n"
      "CRLF=line\r\n"
      "AGAIN=first\n"
      "AGAIN=second\n"
      "dotted.name_1=x");
  ASSERT_TRUE(variables) << variables.error().message;
  EXPECT_EQ(*variables, (Variables{{"PLAIN", "value"},
                                   {"SPACED", "two words"},
                                   {"EXPORTED", "yes"},
                                   {"EMPTY", ""},
                                   {"DOUBLE", "a # b = 'c'"},
                                   {"SINGLE", "a \"b\" "},
                                   {"HASH", "a#b"},
                                   {"COMMENT", "a"},
                                   {"TABBED", "a"},
                                   {"ONLY_COMMENT", ""},
                                   {"EQUALS", "a=b=="},
                                   {"CRLF", "line"},
                                   {"AGAIN", "second"},
                                   {"dotted.name_1", "x"}}));
}

TEST(Environment, AByteOrderMarkIsNoPartOfTheFirstName) {
  EXPECT_EQ(parse_dotenv("\xEF\xBB\xBF"
                         "KEY=v")
                .value(),
            (Variables{{"KEY", "v"}}));
}

TEST(Environment, ABadLineIsNamedByItsNumberAndNeverShown) {
  const std::string bad[] = {"sk-secret",        "=sk-secret",     "1A=sk-secret",
                             "A B=sk-secret",    "A=\"sk-secret",  "A='sk-secret' sk-secret",
                             "sk-secret=x",      "A-B=sk-secret",  "A=\"sk\"secret\"",
                             "export sk-secret", "\xFFsk-secret=1"};
  for (const std::string& line : bad) {
    const auto variables = parse_dotenv("GOOD=1\n" + line + "\n");
    ASSERT_FALSE(variables) << line;
    EXPECT_EQ(variables.error().kind, ErrorKind::Invalid);
    EXPECT_EQ(variables.error().message, "line 2: not of the form NAME=value") << line;
  }
}

TEST(Environment, TheNearestFileUpwardsIsRead) {
  const TemporaryFolder folder;
  folder.write(".env", "PERSONASCOPE_TEST_A=outer\nPERSONASCOPE_TEST_B=outer\n");
  folder.write("one/.env", "PERSONASCOPE_TEST_A=inner\n");
  std::filesystem::create_directories(folder.path("one/two/three"));
  for (const char* place : {"one", "one/", "one/two/three"}) {
    const auto environment = Environment::load(folder.path(place));
    ASSERT_TRUE(environment);
    EXPECT_EQ(environment->find("PERSONASCOPE_TEST_A"), "inner") << place;
    EXPECT_FALSE(environment->find("PERSONASCOPE_TEST_B")) << "two files must not be mixed";
    EXPECT_EQ(environment->file(), folder.path("one/.env"));
  }
  EXPECT_EQ(Environment::load(folder.path("one/.."))->file(), folder.path(".env"));
}

TEST(Environment, AFolderCalledDotEnvIsPassedBy) {
  const TemporaryFolder folder;
  folder.write(".env", "PERSONASCOPE_TEST_A=outer\n");
  folder.write("one/.env/bin/python", "");
  EXPECT_EQ(Environment::load(folder.path("one"))->find("PERSONASCOPE_TEST_A"), "outer");
}

TEST(Environment, TheProcessWinsUnlessItsVariableIsEmpty) {
  const TemporaryFolder folder;
  folder.write(".env", "PERSONASCOPE_TEST_A=file\nPERSONASCOPE_TEST_B=file\n");
  setenv("PERSONASCOPE_TEST_A", "process", 1);
  setenv("PERSONASCOPE_TEST_B", "", 1);
  const auto environment = Environment::load(folder.path(""));
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->find("PERSONASCOPE_TEST_A"), "process");
  EXPECT_EQ(environment->find("PERSONASCOPE_TEST_B"), "file");
  EXPECT_FALSE(environment->find("PERSONASCOPE_TEST_C"));
  unsetenv("PERSONASCOPE_TEST_A");
  unsetenv("PERSONASCOPE_TEST_B");
}

TEST(Environment, GivenVariablesAreTheOnlyOnes) {
  const Environment environment({{"A", "1"}, {"EMPTY", ""}});
  EXPECT_EQ(environment.find("A"), "1");
  EXPECT_FALSE(environment.find("EMPTY"));
  EXPECT_FALSE(environment.find("PATH"));
  EXPECT_EQ(environment.file(), "");
}

TEST(Environment, FindsNamesByTheirEnding) {
  const TemporaryFolder folder;
  folder.write(".env", "B_TEST_ENDING=file\nC_TEST_ENDING=\nD_TEST=1\n");
  setenv("A_TEST_ENDING", "process", 1);
  const auto environment = Environment::load(folder.path(""));
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->names_ending_with("_TEST_ENDING"),
            (std::vector<std::string>{"A_TEST_ENDING", "B_TEST_ENDING"}));
  EXPECT_TRUE(
      Environment(std::map<std::string, std::string>{}).names_ending_with("_TEST_ENDING").empty());
  unsetenv("A_TEST_ENDING");
}

TEST(Environment, OnlyWhatIsMissingCanBeSet) {
  Environment environment(std::map<std::string, std::string>{{"A", "there"}, {"B", ""}});
  for (const char* name : {"A", "B", "C"}) environment.set_if_missing(name, "given");
  EXPECT_EQ(environment.find("A"), "there");
  EXPECT_EQ(environment.find("B"), "given");  // an empty one counts as missing
  EXPECT_EQ(environment.find("C"), "given");
}

TEST(Environment, ABadFileIsNamedAndNotShown) {
  const TemporaryFolder folder;
  const std::string path = folder.write(".env", "A=1\nsk-secret\n");
  const auto environment = Environment::load(folder.path(""));
  ASSERT_FALSE(environment);
  EXPECT_EQ(environment.error().message, path + ", line 2: not of the form NAME=value");
}

TEST(Environment, AHugeFileIsRefused) {
  const TemporaryFolder folder;
  folder.write(".env", "A=" + std::string(2 << 20, 'x'));
  EXPECT_EQ(Environment::load(folder.path("")).error().kind, ErrorKind::Invalid);
}

}  // namespace
}  // namespace personascope::files
