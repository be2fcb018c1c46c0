#include "eval/personalens/user.hpp"

#include <gtest/gtest.h>

#include "eval/personalens/folder_users.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr const char* kProfile = R"({
  "affinities": {"Zoo": {"time": "noon", "animals": ["apes", "owls"]}, "Buses**": {}},
  "demographics": {"user_id": "user7", "age": 30, "home": "Cork"},
  "interests": {"Zoo": 1, "Alarm": 0},
  "interactions": {"Zoo": "They came often."}})";

constexpr const char* kTasks = R"({"Task 1": {"Task Description": "d", "User Intent": "Go.",
  "Task Goal": "Gone.", "Relevant Affinity Types": ["time"], "task_id": "SD-Zoo-task-1",
  "situations": {"Place": "bed"}, "Relevant Domains": ["Zoo"]}})";

TEST(User, IsReadInTheOrderOfTheFile) {
  const auto user = parse_user(kProfile, "p.json", 7);
  ASSERT_TRUE(user) << user.error().message;
  EXPECT_EQ(render_attributes(user->demographics), "- user_id: user7\n- age: 30\n- home: Cork");
  EXPECT_EQ(render_attributes(*user->find_affinities("Zoo")),
            "- time: noon\n- animals: apes, owls");
  EXPECT_EQ(*user->find_summary("Zoo"), "They came often.");
  EXPECT_EQ(user->find_affinities("Alarm"), nullptr);
  EXPECT_EQ(user->interests,
            (std::vector<std::pair<std::string, bool>>{{"Zoo", true}, {"Alarm", false}}));
}

TEST(User, AStrayDomainIsReportedAndNotFatal) {
  const auto user = parse_user(kProfile, "p.json", 7);
  ASSERT_TRUE(user);
  EXPECT_EQ(user->oddities,
            std::vector<std::string>{"user7 has affinities for a domain called \"Buses**\""});
}

TEST(User, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "p.json: not valid JSON at character 1"},
      {"{}", "p.json: \"demographics\" is missing"},
      {R"({"demographics": 3})", "p.json: \"demographics\" must be an object {\"name\": …}"},
      {R"({"demographics": {"a": {"b": 1}}})", "p.json: \"a\" must be a text or a list of texts"},
      {R"({"demographics": {}, "affinities": {"Zoo": 1}})",
       "p.json: the affinities of \"Zoo\" must be an object {\"name\": …}"},
      {R"({"demographics": {}, "affinities": {}, "interactions": {"Zoo": 1}})",
       "p.json: the interactions of \"Zoo\" must be a text"},
      {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "p.json: JSON is nested deeper than 20 levels"},
  };
  for (const auto& [text, message] : cases) {
    const auto user = parse_user(text, "p.json", 7);
    ASSERT_FALSE(user) << text;
    EXPECT_EQ(user.error().message, message);
    EXPECT_EQ(user.error().kind, ErrorKind::Invalid);
  }
}

TEST(Tasks, WhatIsWrongIsNamedWithItsTask) {
  const std::pair<const char*, const char*> cases[] = {
      {"[]", "t.json: it must be an object {\"Task 1\": …}"},
      {R"({"Task 1": 1})", "t.json, Task 1: a task must be an object"},
      {R"({"Task 1": {}})", "t.json, Task 1: \"task_id\" is missing"},
      {R"({"Task 1": {"task_id": "../x"}})",
       "t.json, Task 1: the task_id \"../x\" cannot be the name of a file"},
      {R"({"Task 1": {"task_id": "a", "User Intent": 1}})",
       "t.json, Task 1: \"User Intent\" must be a text"},
      {R"({"Task 1": {"task_id": "a", "User Intent": "x", "Task Goal": " "}})",
       "t.json, Task 1: \"Task Goal\" is empty"},
      {R"({"Task 1": {"task_id": "a", "User Intent": "x", "Task Goal": "y",
           "Relevant Domains": "Zoo"}})",
       "t.json, Task 1: \"Relevant Domains\" must be a list of texts"},
      {R"({"Task 1": {"task_id": "a", "User Intent": "x", "Task Goal": "y",
                      "Relevant Domains": ["Zoo"], "situations": {}},
           "Task 2": {"task_id": "a"}})",
       "t.json, Task 2: the task_id \"a\" is used twice"},
  };
  for (const auto& [text, message] : cases) {
    const auto tasks = parse_tasks(text, "t.json", Span::Single);
    ASSERT_FALSE(tasks) << text;
    EXPECT_EQ(tasks.error().message, message);
  }
}

TEST(Tasks, TheDomainIsInTheId) {
  EXPECT_EQ(domain_of("SD-Rental Cars-task-12"), "Rental Cars");
  EXPECT_EQ(domain_of("MD-task-3"), "Multi-domain");
  EXPECT_EQ(domain_of("SD--task-3"), "Multi-domain");
  EXPECT_EQ(domain_of("ps-Rental Cars-12"), "Rental Cars");
  EXPECT_EQ(domain_of("ps-multi-3"), "Multi-domain");
  EXPECT_EQ(domain_of("ps-3"), "Multi-domain");
}

TEST(FolderUsers, WhatIsSavedIsReadAgain) {
  const files::TemporaryFolder folder;
  const User user = parse_user(kProfile, "p.json", 7).value();
  const auto tasks = parse_tasks(kTasks, "t.json", Span::Single).value();
  ASSERT_TRUE(save_user(folder.path("data"), user, tasks, {}));
  for (const char* place : {"", "data", "data/profile"}) {
    const auto users = open_folder_users(folder.path(place));
    ASSERT_TRUE(users) << place;
    EXPECT_EQ((*users)->list_users(), std::vector<int>{7});
    EXPECT_EQ(render_user((*users)->load_user(7).value()), render_user(user));
    EXPECT_EQ(render_tasks((*users)->load_tasks(7, Span::Single).value()), render_tasks(tasks));
    EXPECT_TRUE((*users)->load_tasks(7, Span::Multi).value().empty());
    EXPECT_EQ((*users)->load_user(8).error().kind, ErrorKind::NotFound);
  }
  EXPECT_EQ(open_folder_users(folder.path("none")).error().kind, ErrorKind::NotFound);
}

TEST(FolderUsers, OnlyNumberedFoldersAreUsers) {
  EXPECT_EQ(find_user_number("user0"), 0);
  EXPECT_EQ(find_user_number("user874"), 874);
  for (const char* name : {"user", "user-1", "user01", "users1", "user1x", "user99999999999"})
    EXPECT_EQ(find_user_number(name), std::nullopt) << name;
}

}  // namespace
}  // namespace personascope::eval::personalens
