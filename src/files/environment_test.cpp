#include "files/environment.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

// Writes a `.env` that nobody else may write to, whatever the umask.
void write_dotenv(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  chmod(folder.write(name, text).c_str(), 0600);
}

TEST(Environment, TheNearestFileUpToTheRepositorysRootIsRead) {
  const TemporaryFolder folder;
  write_dotenv(folder, ".env", "A_API_KEY=outer\n");
  write_dotenv(folder, "repo/.env", "A_API_KEY=root\nB_API_KEY=root\n");
  write_dotenv(folder, "repo/one/.env", "A_API_KEY=inner\n");
  std::filesystem::create_directories(folder.path("repo/.git"));
  std::filesystem::create_directories(folder.path("repo/one/two/three"));
  std::filesystem::create_directories(folder.path("repo/other"));
  for (const char* place : {"repo/one", "repo/one/", "repo/one/two/three"}) {
    const auto environment = Environment::load(folder.path(place));
    ASSERT_TRUE(environment);
    EXPECT_EQ(environment->find("A_API_KEY"), "inner") << place;
    EXPECT_FALSE(environment->find("B_API_KEY")) << "two files must not be mixed";
    EXPECT_EQ(environment->file(), folder.path("repo/one/.env"));
  }
  EXPECT_EQ(Environment::load(folder.path("repo/one/.."))->file(), folder.path("repo/.env"));
  EXPECT_EQ(Environment::load(folder.path("repo/other"))->file(), folder.path("repo/.env"));
  std::filesystem::remove(folder.path("repo/.env"));
  EXPECT_EQ(Environment::load(folder.path("repo/other"))->file(), "") << "above the root";
}

TEST(Environment, TheSearchEndsAtTheHomeFolder) {
  const TemporaryFolder folder;
  write_dotenv(folder, ".env", "A_API_KEY=outer\n");
  std::filesystem::create_directories(folder.path("me/work"));
  const char* before = std::getenv("HOME");
  const std::string home = before ? before : "";
  setenv("HOME", folder.path("me").c_str(), 1);
  EXPECT_EQ(Environment::load(folder.path("me/work"))->file(), "");
  write_dotenv(folder, "me/.env", "A_API_KEY=mine\n");
  EXPECT_EQ(Environment::load(folder.path("me/work"))->file(), folder.path("me/.env"));
  before ? setenv("HOME", home.c_str(), 1) : unsetenv("HOME");
}

TEST(Environment, OutsideOfHomeAndRepositoriesOnlyTheFolderItselfCounts) {
  const TemporaryFolder folder;
  write_dotenv(folder, ".env", "A_API_KEY=outer\n");
  std::filesystem::create_directories(folder.path("one"));
  EXPECT_EQ(Environment::load(folder.path("one"))->file(), "");
  EXPECT_EQ(Environment::load(folder.path(""))->file(), folder.path(".env"));
}

TEST(Environment, AFileThatOthersMayWriteToIsNotRead) {
  const TemporaryFolder folder;
  const std::string path = folder.write(".env", "A_API_KEY=theirs\n");
  for (const mode_t mode : {0620, 0602, 0666}) {
    chmod(path.c_str(), mode);
    const auto environment = Environment::load(folder.path(""));
    ASSERT_TRUE(environment);
    EXPECT_FALSE(environment->find("A_API_KEY"));
    EXPECT_EQ(environment->file(), "");
    EXPECT_EQ(environment->unread(), path +
                                         " was not read: others may write to it; `chmod go-w` "
                                         "changes that");
  }
  chmod(path.c_str(), 0644);
  EXPECT_EQ(Environment::load(folder.path(""))->unread(), "");
}

TEST(Environment, AFileOfAnotherUserIsNotRead) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const TemporaryFolder folder;
  const std::string path = folder.write(".env", "A_API_KEY=theirs\n");
  chmod(path.c_str(), 0644);
  ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  const auto environment = Environment::load(folder.path(""));
  ASSERT_TRUE(environment);
  EXPECT_FALSE(environment->find("A_API_KEY"));
  EXPECT_EQ(environment->unread(), path + " was not read: it belongs to another user");
}

TEST(Environment, APipeIsNotWaitedFor) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path(".env").c_str(), 0600), 0);
  const auto environment = Environment::load(folder.path(""));
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->unread(), folder.path(".env") + " was not read: it is not a plain file");
}

TEST(Environment, OnlyKeysAndAddressesAreTakenFromAFile) {
  const TemporaryFolder folder;
  write_dotenv(folder, ".env",
               "MY_API_KEY=k\nMY_BASE_URL=u\nHF_TOKEN=t\nAWS_REGION=r\n"
               "PERSONASCOPE_TEST_PROGRAM=/bin/sh\nPERSONASCOPE_API_KEY=k\nXDG_TEST_HOME=/x\n"
               "HF_TOKEN_PATH=/x\nAWS_CONFIG_FILE=/x\n");
  const auto environment = Environment::load(folder.path(""));
  ASSERT_TRUE(environment);
  for (const char* name : {"MY_API_KEY", "MY_BASE_URL", "HF_TOKEN", "AWS_REGION"})
    EXPECT_TRUE(environment->find(name)) << name;
  for (const char* name : {"PERSONASCOPE_TEST_PROGRAM", "PERSONASCOPE_API_KEY", "XDG_TEST_HOME",
                           "HF_TOKEN_PATH", "AWS_CONFIG_FILE"})
    EXPECT_FALSE(environment->find(name)) << name;
  EXPECT_EQ(environment->not_taken(),
            (std::vector<std::string>{"PERSONASCOPE_API_KEY", "PERSONASCOPE_TEST_PROGRAM"}));
}

TEST(Environment, AnAddressOfTheFileGoesOnlyWithAKeyOfTheFile) {
  const TemporaryFolder folder;
  write_dotenv(folder, ".env", "ONE_BASE_URL=http://x\nONE_API_KEY=k\nTWO_BASE_URL=http://x\n");
  setenv("TWO_API_KEY", "sk-mine", 1);
  setenv("THREE_BASE_URL", "http://x", 1);
  const auto environment = Environment::load(folder.path(""));
  ASSERT_TRUE(environment);
  EXPECT_TRUE(check_same_source(*environment, "ONE_BASE_URL", "ONE_API_KEY"));
  EXPECT_TRUE(check_same_source(*environment, "THREE_BASE_URL", "ONE_API_KEY"));
  EXPECT_TRUE(check_same_source(*environment, "TWO_BASE_URL", "NO_API_KEY")) << "no key at all";
  const auto refused = check_same_source(*environment, "TWO_BASE_URL", "TWO_API_KEY");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Misconfigured);
  EXPECT_EQ(refused.error().message,
            "TWO_BASE_URL comes from " + folder.path(".env") +
                ", but TWO_API_KEY does not, so the key was not sent there: put both into that "
                "file or both into the environment");
  unsetenv("TWO_API_KEY");
  unsetenv("THREE_BASE_URL");
}

TEST(Environment, AFolderCalledDotEnvIsPassedBy) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path(".git"));
  write_dotenv(folder, ".env", "A_API_KEY=outer\n");
  folder.write("one/.env/bin/python", "");
  EXPECT_EQ(Environment::load(folder.path("one"))->find("A_API_KEY"), "outer");
}

TEST(Environment, TheProcessWinsUnlessItsVariableIsEmpty) {
  const TemporaryFolder folder;
  write_dotenv(folder, ".env", "TEST_A_API_KEY=file\nTEST_B_API_KEY=file\n");
  setenv("TEST_A_API_KEY", "process", 1);
  setenv("TEST_B_API_KEY", "", 1);
  const auto environment = Environment::load(folder.path(""));
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->find("TEST_A_API_KEY"), "process");
  EXPECT_EQ(environment->source_of("TEST_A_API_KEY"), Source::Process);
  EXPECT_EQ(environment->find("TEST_B_API_KEY"), "file");
  EXPECT_EQ(environment->source_of("TEST_B_API_KEY"), Source::File);
  EXPECT_FALSE(environment->find("TEST_C_API_KEY"));
  EXPECT_EQ(environment->source_of("TEST_C_API_KEY"), Source::None);
  unsetenv("TEST_A_API_KEY");
  unsetenv("TEST_B_API_KEY");
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
  write_dotenv(folder, ".env", "B_TEST_API_KEY=file\nC_TEST_API_KEY=\nD_API_KEY=1\n");
  setenv("A_TEST_API_KEY", "process", 1);
  const auto environment = Environment::load(folder.path(""));
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->names_ending_with("_TEST_API_KEY"),
            (std::vector<std::string>{"A_TEST_API_KEY", "B_TEST_API_KEY"}));
  EXPECT_TRUE(
      Environment(std::map<std::string, std::string>{}).names_ending_with("_TEST_API_KEY").empty());
  unsetenv("A_TEST_API_KEY");
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
  const std::string path = folder.path(".env");
  write_dotenv(folder, ".env", "A=1\nsk-secret\n");
  const auto environment = Environment::load(folder.path(""));
  ASSERT_FALSE(environment);
  EXPECT_EQ(environment.error().message, path + ", line 2: not of the form NAME=value");
}

TEST(Environment, AHugeFileIsRefused) {
  const TemporaryFolder folder;
  write_dotenv(folder, ".env", "A=" + std::string(2 << 20, 'x'));
  EXPECT_EQ(Environment::load(folder.path("")).error().kind, ErrorKind::Invalid);
}

}  // namespace
}  // namespace personascope::files
