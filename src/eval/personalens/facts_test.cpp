#include "eval/personalens/facts.hpp"

#include <gtest/gtest.h>

#include "eval/personalens/people.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::personalens {
namespace {

TEST(Facts, ConditionsHoldForOneOfTheValues) {
  Facts facts;
  facts.set("age", {"30"});
  facts.set("job", {"driver", "on feet"});
  const auto meets = [&](const char* yaml) {
    const Json value = files::parse_yaml(yaml, "test").value();
    return facts.meet(parse_fact_conditions(&value, "test").value());
  };
  EXPECT_TRUE(meets("{age: 18-30}"));
  EXPECT_FALSE(meets("{age: 31-40}"));
  EXPECT_TRUE(meets("{job: driver}"));
  EXPECT_TRUE(meets("{job: [desk, on feet], age: 30-30}"));
  EXPECT_FALSE(meets("{job: desk}"));
  EXPECT_FALSE(meets("{faith: none}"));  // not known
  EXPECT_TRUE(facts.meet({}));
}

TEST(Facts, WhatIsNoConditionIsRefused) {
  for (const char* yaml : {"[a]", "{age: 3}", "{job: []}", "{job: [1]}"}) {
    const Json value = files::parse_yaml(yaml, "test").value();
    const auto conditions = parse_fact_conditions(&value, "here");
    ASSERT_FALSE(conditions) << yaml;
    EXPECT_TRUE(conditions.error().message.starts_with("here: ")) << conditions.error().message;
  }
}

TEST(Facts, WeightsAreHeeded) {
  Random random(1, "test");
  int heavy = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::size_t place = pick_weighted(random, {0, 1, 3, 0});
    ASSERT_TRUE(place == 1 || place == 2);
    heavy += place == 2 ? 1 : 0;
  }
  EXPECT_GT(heavy, 680);
  EXPECT_LT(heavy, 820);
}

constexpr const char* kPeople = R"(
genders: {woman: 1}
ages: {18-40: 1}
retired_share: {18-90: 0}
names: {ours: {woman: [Ana], man: [Bo]}}
faiths: {some: {none: 1}}
places: [{home: "Cork, Ireland", names: ours, languages: {Irish: 1}, faiths: some, near: [coast]}]
education: {any: [doctorate, upper secondary school]}
education_ages: {doctorate: 27-90}
occupations: [{name: baker, education: any, from: 18, until: 66}]
households: [{name: lives alone, ages: 18-90}]
traits: [{name: diet, shown: {vegan: eats no animals}, tables: [{values: {vegan: 1}}]}]
interests: {otherwise: 50, Zoo: [{when: {diet: vegan}, percent: 0}]}
)";

TEST(People, APersonIsDrawnFromWhatIsListed) {
  const auto people = parse_people(files::parse_yaml(kPeople, "p").value(), "p");
  ASSERT_TRUE(people) << people.error().message;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const Person person = draw_person(*people, random);
    const std::string text = render_attributes(person.demographics);
    EXPECT_NE(text.find("- name: Ana\n"), std::string::npos) << text;
    EXPECT_NE(text.find("- first language: Irish\n"), std::string::npos) << text;
    EXPECT_NE(text.find("- diet: eats no animals"), std::string::npos) << text;
    if (person.facts.value_of("age") < "27") {
      EXPECT_EQ(person.facts.value_of("education"), "upper secondary school");
    }
    EXPECT_EQ(find_interest(*people, person.facts, "Zoo"), 0);
    EXPECT_EQ(find_interest(*people, person.facts, "Books"), .5);
  }
}

TEST(People, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"names: ours,", "p, Cork, Ireland: there are no names \"theirs\""},
      {"education: any,", "p, baker: there is no education \"theirs\""},
      {"ages: 18-90", "p, lives alone: \"theirs\" is no range of ages such as 18-30"},
  };
  for (const auto& [part, message] : cases) {
    std::string text = kPeople;
    const std::string_view old = part;
    const std::size_t value = old.find(": ") + 2;
    const bool has_comma = old.ends_with(',');
    text.replace(text.find(old), old.size(),
                 std::string(old.substr(0, value)) + "theirs" + (has_comma ? "," : ""));
    const auto people = parse_people(files::parse_yaml(text, "p").value(), "p");
    ASSERT_FALSE(people) << part;
    EXPECT_EQ(people.error().message, message);
  }
}

}  // namespace
}  // namespace personascope::eval::personalens
