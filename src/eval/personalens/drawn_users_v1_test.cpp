#include "eval/personalens/drawn_users_v1.hpp"

#include "eval/personalens/drawn_users.hpp"

#include <gtest/gtest.h>

#include <set>

namespace personascope::eval::personalens {
namespace {

Vocabulary make_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.demographics.first_names = {"Ana", "Bo"};
  vocabulary.demographics.genders = {"woman", "man"};
  vocabulary.demographics.occupations = {"baker", "retired judge", "student nurse"};
  vocabulary.demographics.places = {"Cork", "Lyon"};
  vocabulary.demographics.languages = {"Irish", "French"};
  vocabulary.demographics.households = {"lives alone", "lives with parents", "sheltered housing"};
  vocabulary.demographics.education = {"doctorate", "lower secondary school"};
  Domain zoo{"Zoo", "the zoo", {}, {{"habit", "They go at {visit_time}."}}};
  zoo.affinities = {
      {"visit time", "the hour", false, false, {"noon", "dawn", "dusk"}, {}, {}},
      {"animal", "the animals", true, false, {"apes", "owls", "bats", "eels", "yaks"}, {}, {}}};
  vocabulary.domains = {zoo};
  vocabulary.sentences = {{"opening", "Talk is of {domain}."},
                          {"habit", "For {attribute}, it is {values}."},
                          {"closing", "They like {value}."}};
  vocabulary.situations = {{"place", {"bed", "bath"}}};
  LensTask task;
  task.id = "SD-Zoo-task-1";
  task.intent = "Go.";
  task.goal = "Gone.";
  task.domains = {"Zoo"};
  vocabulary.single = {task};
  return vocabulary;
}

const std::string& value_of(const User& user, const std::string& name) {
  for (const Attribute& attribute : user.demographics)
    if (attribute.name == name) return attribute.values.front();
  static const std::string nothing;
  return nothing;
}

TEST(DrawnUsersV1, AUserIsTheSameInEveryRun) {
  const Vocabulary vocabulary = make_vocabulary();
  EXPECT_EQ(render_user(draw_user(vocabulary, 1, 5)), render_user(draw_user(vocabulary, 1, 5)));
  EXPECT_NE(render_user(draw_user(vocabulary, 1, 5)), render_user(draw_user(vocabulary, 2, 5)));
  EXPECT_NE(render_user(draw_user(vocabulary, 1, 5)), render_user(draw_user(vocabulary, 1, 6)));
}

TEST(DrawnUsersV1, WhatIsDrawnCanBeTrueTogether) {
  const Vocabulary vocabulary = make_vocabulary();
  std::set<std::string> seen;
  for (int number = 0; number < 300; ++number) {
    const User user = draw_user(vocabulary, 0, number);
    const int age = std::stoi(value_of(user, "age"));
    EXPECT_GE(age, 18);
    EXPECT_LE(age, 90);
    const std::string& occupation = value_of(user, "occupation");
    seen.insert(occupation);
    if (occupation == "retired judge") {
      EXPECT_GE(age, 58);
    }
    if (occupation == "student nurse") {
      EXPECT_LE(age, 35);
    }
    if (occupation == "baker") {
      EXPECT_LE(age, 75);
    }
    if (value_of(user, "household") == "sheltered housing") {
      EXPECT_GE(age, 66);
    }
    if (value_of(user, "education") == "doctorate") {
      EXPECT_GE(age, 27);
    }
  }
  EXPECT_EQ(seen,
            (std::set<std::string>{"baker", "retired baker", "retired judge", "student nurse"}));
}

TEST(DrawnUsersV1, ListsHaveTwoToFourDifferentValuesAndSummariesNameThem) {
  const Vocabulary vocabulary = make_vocabulary();
  for (int number = 0; number < 100; ++number) {
    const User user = draw_user(vocabulary, 0, number);
    const Attributes& likes = *user.find_affinities("Zoo");
    EXPECT_EQ(likes[0].values.size(), 1u);
    EXPECT_GE(likes[1].values.size(), 2u);
    EXPECT_LE(likes[1].values.size(), 4u);
    EXPECT_EQ(std::set<std::string>(likes[1].values.begin(), likes[1].values.end()).size(),
              likes[1].values.size());
    const std::string& summary = *user.find_summary("Zoo");
    EXPECT_TRUE(summary.starts_with("Talk is of the zoo. ")) << summary;
    EXPECT_EQ(summary.find('{'), std::string::npos) << summary;
  }
}

TEST(DrawnUsersV1, TasksAreThoseOfDomainsThatInterest) {
  const Vocabulary vocabulary = make_vocabulary();
  int with = 0;
  for (int number = 0; number < 200; ++number) {
    const User user = draw_user(vocabulary, 0, number);
    const auto tasks = draw_tasks(vocabulary, 0, user, Span::Single);
    EXPECT_EQ(tasks.size(), user.interests.front().second ? 1u : 0u);
    with += tasks.empty() ? 0 : 1;
    if (!tasks.empty()) {
      EXPECT_EQ(tasks.front().situation.size(), 1u);
    }
  }
  EXPECT_GT(with, 120);  // .78 of 200, give or take
  EXPECT_LT(with, 190);
}

TEST(DrawnUsersV1, ASourceHasAsManyAsItIsTold) {
  const auto users = make_drawn_users(make_vocabulary(), 0, 3);
  EXPECT_EQ(users->list_users(), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(users->load_user(2));
  EXPECT_EQ(users->load_user(3).error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace personascope::eval::personalens
