#include "app/configuration.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "app/catalog.hpp"

namespace personascope::app {
namespace {

namespace fs = std::filesystem;

files::Environment make_environment(const std::string& name, const std::string& value) {
  return files::Environment(std::map<std::string, std::string>{{name, value}});
}

class Configurations : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fmt::format("configuration-{}-{}", ::getpid(),
                          testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_ / "project");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_user(const std::string& text) { write(folder_ / "config.yaml", text); }
  void write_project(const std::string& text) {
    write(folder_ / "project" / "personascope.yaml", text);
  }
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
    ::chmod(path.c_str(), 0600);
  }

  Result<Configuration> load() const {
    std::map<std::string, std::string> variables{{"HOME", folder_.string()}};
    if (fs::exists(folder_ / "config.yaml"))
      variables["PERSONASCOPE_CONFIG"] = (folder_ / "config.yaml").string();
    return Configuration::load(files::Environment(variables), (folder_ / "project").string());
  }
  std::string error() const {
    const auto loaded = load();
    return loaded ? "" : loaded.error().message;
  }
  Json fill_in(const std::string& command, const Json& given = Json::object()) const {
    const auto loaded = load();
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? loaded->fill_in(command, command_named(command).options, given) : Json();
  }

  fs::path folder_;
};

TEST_F(Configurations, WithoutFilesNothingIsSet) {
  EXPECT_EQ(fill_in("gym run"), Json::object());
  EXPECT_TRUE(load()->files().empty());
}

TEST_F(Configurations, AFileGivesDefaultsToEveryCommandThatHasTheOption) {
  write_user("model: openai/gpt-4o\njudges: [a/b, c/d]\nmax_cost: 5\ntags: mine\n");
  EXPECT_EQ(fill_in("gym run"), Json({{"model", "openai/gpt-4o"},
                                      {"judges", {"a/b", "c/d"}},
                                      {"max_cost", 5},
                                      {"tags", Json::array({"mine"})}}));
  EXPECT_EQ(fill_in("batch").value("model", ""), "openai/gpt-4o");
  EXPECT_FALSE(fill_in("batch").contains("judges"));
  EXPECT_EQ(fill_in("bench main").value("judge", ""), "a/b");  // one judge: the first
}

TEST_F(Configurations, ADefaultModelIsNotUsedWhereModelMeansAnother) {
  write_user("model: openai/gpt-4o\nlift: {model: vllm/reader}\n");
  EXPECT_FALSE(fill_in("gym grade").contains("model"));
  EXPECT_EQ(fill_in("lift").value("model", ""), "vllm/reader");
}

TEST_F(Configurations, WhatIsGivenWinsThenTheProjectThenTheUser) {
  write_user("model: user/m\nepochs: 2\ngym: {epochs: 3}\ngym run: {limit: 7}\n");
  write_project("model: project/m\n");
  const Json filled = fill_in("gym run", {{"limit", 1}});
  EXPECT_EQ(filled, Json({{"model", "project/m"}, {"epochs", 3}, {"limit", 1}}));
}

TEST_F(Configurations, AProjectCanLowerALimitAndNotRaiseIt) {
  write_user("max_cost: 5\nconfirm_above: 1\n");
  write_project("max_cost: 500\nconfirm_above: 0.5\nmax_calls: 9\n");
  const Json filled = fill_in("gym run");
  EXPECT_EQ(filled["max_cost"], 5);
  EXPECT_EQ(filled["confirm_above"], 0.5);
  EXPECT_EQ(filled["max_calls"], 9);
}

TEST_F(Configurations, AnOptionThatExcludesAGivenOneIsLeftOut) {
  write_user("fresh: true\n");
  EXPECT_FALSE(fill_in("gym run", {{"replay", true}}).contains("fresh"));
  EXPECT_EQ(fill_in("gym run")["fresh"], true);
}

TEST_F(Configurations, AnAddressGoesWithTheModelOfTheConfigurationOnly) {
  write_user("model: vllm/mine\nbase_url: http://gpu:8000/v1\n");
  EXPECT_TRUE(fill_in("gym run").contains("base_url"));
  EXPECT_FALSE(fill_in("gym run", {{"model", "openai/gpt-4o"}}).contains("base_url"));
}

TEST_F(Configurations, MistakesAreNamedWithFileLineAndTheNearestName) {
  const std::string file = (folder_ / "config.yaml").string();
  const std::pair<const char*, const char*> cases[] = {
      {"# mine\n\nmodell: x\n",
       ", line 3: \"modell\" is not an option of any command; did you mean "
       "\"model\"?"},
      {"gym:\n  limt: 3\n", ", line 2: \"limt\" is not an option of gym; did you mean \"limit\"?"},
      {"gmy: {limit: 3}\n",
       ", line 1: \"gmy\" is not an option of any command; did you mean \"gym\"?"},
      {"max_cost: dear\n", ", line 1: \"max_cost\" must be a number"},
      {"gym: {epochs: 0}\n", ", line 1: \"epochs\" must be a whole number from 1 to 1000, not 0"},
      {"openai_api_key: sk-123\n", "looks like an API key: put keys into the environment"},
      {"store: here.db\n", "must be an absolute path or begin with ~/"},
      {"model: [\n", ", line "},
      {"- model\n", "must hold options and their values"},
      {"model: a\nmodel: b\n", "line 2: \"model\" occurs twice"},
      {"requests: x.jsonl\n", "is not an option"},
  };
  for (const auto& [text, said] : cases) {
    write_user(text);
    EXPECT_NE(error().find(said), std::string::npos) << text << error();
    EXPECT_NE(error().find(file), std::string::npos) << error();
    EXPECT_EQ(error().find("sk-123"), std::string::npos) << error();
  }
}

TEST_F(Configurations, AProjectCannotSayWhereDataIsSentReadOrWritten) {
  for (const char* text :
       {"base_url: http://evil/v1\n", "store: /tmp/x.db\n", "prices: /tmp/p.yaml\n",
        "output: /tmp/x\n", "gym: {personas_file: /etc/passwd}\n", "gym: {questions: /tmp/q}\n",
        "lens: {aws_region: us-east-1}\n", "gym: {model_name: ../x}\n",
        "model: embedded/./evil.gguf\n", "judges: [scripted/evil.yaml]\n",
        "model: http/evil.yaml\n", "bench: {csv: x.csv}\n"}) {
    write_project(text);
    EXPECT_NE(error().find("personascope.yaml, line 1: "), std::string::npos) << text << error();
    EXPECT_NE(error().find("cannot be set"), std::string::npos) << text << error();
  }
  write_project("model: embedded/smollm2-135m\njudges: [openai/gpt-4o]\ntags: [x]\n");
  EXPECT_EQ(error(), "");
}

TEST_F(Configurations, AFileOfOthersIsNotRead) {
  write_project("model: theirs/m\n");
  ::chmod((folder_ / "project" / "personascope.yaml").c_str(), 0666);
  EXPECT_EQ(fill_in("gym run"), Json::object());
  ASSERT_EQ(load()->files().size(), 1u);
  EXPECT_NE(load()->files()[0].unread.find("others may write to it"), std::string::npos);
}

TEST_F(Configurations, AHostileFileIsBounded) {
  write_project(std::string(2 << 20, '#'));
  EXPECT_NE(error().find("is larger than 1 MB"), std::string::npos) << error();
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'k'; ++c)
    bomb += fmt::format("{0}: &{0} [*{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}]\n",
                        c, static_cast<char>(c - 1));
  write_project(bomb);
  EXPECT_NE(error(), "");
}

TEST_F(Configurations, TheFileThatAVariableNamesMustBeThere) {
  const auto missing = make_environment("PERSONASCOPE_CONFIG", "/nowhere/config.yaml");
  EXPECT_NE(Configuration::load(missing, folder_.string()).error().message.find("there is no file"),
            std::string::npos);
  const auto none = make_environment("PERSONASCOPE_CONFIG", "/dev/null");
  EXPECT_TRUE(Configuration::load(none, folder_.string()));
  EXPECT_EQ(find_configuration_path(make_environment("XDG_CONFIG_HOME", "/x")),
            "/x/personascope/config.yaml");
  EXPECT_EQ(find_configuration_path(make_environment("HOME", "/h")),
            "/h/.config/personascope/config.yaml");
}

TEST_F(Configurations, TheFilesInUseAreListedWithWhatTheySet) {
  write_user("model: a/b\ngym: {limit: 2}\nstore: ~/my.db\n");
  const auto loaded = load();
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->files().size(), 1u);
  EXPECT_EQ(loaded->files()[0].names, (std::vector<std::string>{"gym.limit", "model", "store"}));
  EXPECT_EQ(loaded->find("", kStoreSetting)->value, folder_.string() + "/my.db");
}

}  // namespace
}  // namespace personascope::app
