#include "eval/personalens/consistency.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "eval/personalens/drawn_users.hpp"

namespace personascope::eval::personalens {
namespace {

class ConsistencyTest : public testing::Test {
 protected:
  // A drawn user with these demographics in place of their own.
  std::vector<std::string> judge(std::initializer_list<Attribute> changes,
                                 std::initializer_list<std::array<const char*, 3>> likes = {}) {
    User user = draw_user(vocabulary(), 0, 0);
    user.affinities.clear();
    user.demographics = {{"name", {"Camille"}},          {"age", {"40"}},
                         {"gender", {"woman"}},          {"occupation", {"accountant"}},
                         {"home", {"Lyon, France"}},     {"first language", {"French"}},
                         {"household", {"lives alone"}}, {"education", {"master's degree"}}};
    for (const Attribute& change : changes) {
      const auto at = std::ranges::find(user.demographics, change.name, &Attribute::name);
      if (at == user.demographics.end())
        user.demographics.push_back(change);
      else
        *at = change;
    }
    for (const auto& [domain, name, value] : likes)
      user.affinities.push_back({domain, {{name, {value}}}});
    std::vector<std::string> rules;
    for (const Contradiction& found : find_contradictions(vocabulary(), user))
      rules.push_back(found.rule);
    return rules;
  }

  static const Vocabulary& vocabulary() {
    static const Vocabulary loaded = load_vocabulary(PERSONASCOPE_DATA "/lens").value();
    return loaded;
  }
};

using Rules = std::vector<std::string>;

TEST_F(ConsistencyTest, WhatCanBeTrueIsLeftAlone) {
  EXPECT_EQ(judge({}), Rules{});
  EXPECT_EQ(judge({}, {{"Flights", "meal", "a vegan tray"},
                       {"Restaurants", "diet", "a vegan menu"},
                       {"Hotels", "breakfast", "a vegan spread"}}),
            Rules{});
  EXPECT_EQ(judge({{"name", {"Kwame"}},
                   {"gender", {"man"}},
                   {"first language", {"Akan"}},
                   {"grew up in", {"Kumasi, Ghana"}}}),
            Rules{});
  EXPECT_EQ(judge({{"occupation", {"keeper of a museum of clocks"}}}), Rules{});  // not known
}

TEST_F(ConsistencyTest, EachRuleFindsItsContradiction) {
  EXPECT_EQ(judge({{"name", {"Kwame"}}}), Rules{"name"});
  EXPECT_EQ(judge({{"gender", {"man"}}, {"name", {"Hélène"}}}), Rules{"name"});
  EXPECT_EQ(judge({{"first language", {"Georgian"}}}), Rules{"language"});
  EXPECT_EQ(judge({{"education", {"left school at fourteen"}}}), Rules{"education for work"});
  EXPECT_EQ(judge({{"age", {"20"}}}), (Rules{"age for work", "age for education"}));
  EXPECT_EQ(judge({{"occupation", {"ski instructor"}}, {"education", {"bachelor's degree"}}}),
            Rules{"work and home"});
  EXPECT_EQ(judge({{"household", {"sheltered housing"}}}),
            (Rules{"age for household", "household"}));
  EXPECT_EQ(judge({{"occupation", {"nun"}}, {"education", {"religious seminary"}}}),
            Rules{"household"});
}

TEST_F(ConsistencyTest, OnePersonHasOneDietRhythmPurseAndMobility) {
  EXPECT_EQ(
      judge({}, {{"Flights", "meal", "a halal tray"}, {"Restaurants", "diet", "kosher food"}}),
      Rules{"diet"});
  EXPECT_EQ(judge({}, {{"Alarm", "weekday wake time", "noon"}}), Rules{"rhythm"});  // a day job
  EXPECT_EQ(judge({}, {{"Travel", "budget", "a shoestring"}}), Rules{"purse"});     // well paid
  EXPECT_EQ(judge({}, {{"Train", "seat", "a wheelchair space"}}), Rules{"mobility"});
  EXPECT_EQ(judge({{"mobility", {"uses a wheelchair"}}}, {{"Train", "seat", "a wheelchair space"}}),
            Rules{});
  EXPECT_EQ(judge({{"mobility", {"uses a wheelchair"}}}, {{"Sports", "activity", "rowing"}}).size(),
            2u);  // mobility and effort
  EXPECT_EQ(judge({}, {{"Restaurants", "atmosphere", "a family place with crayons"}}),
            Rules{"affinity"});  // lives alone
}

}  // namespace
}  // namespace personascope::eval::personalens
