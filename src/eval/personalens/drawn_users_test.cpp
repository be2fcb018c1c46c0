#include "eval/personalens/drawn_users.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "base/text.hpp"
#include "eval/personalens/consistency.hpp"

namespace personascope::eval::personalens {
namespace {

const Vocabulary& shipped() {
  static const Vocabulary vocabulary = load_vocabulary(PERSONASCOPE_DATA "/lens").value();
  return vocabulary;
}

const Vocabulary& shipped_v1() {
  static const Vocabulary vocabulary = load_vocabulary(PERSONASCOPE_DATA "/lens", 1).value();
  return vocabulary;
}

std::string demographic(const User& user, std::string_view name) {
  for (const Attribute& attribute : user.demographics)
    if (attribute.name == name) return attribute.values.front();
  return "";
}

bool likes(const User& user, std::string_view domain, std::string_view name,
           std::initializer_list<std::string_view> values) {
  for (const Attribute& attribute : *user.find_affinities(domain))
    if (attribute.name == name)
      for (const std::string& value : attribute.values)
        for (const std::string_view one : values)
          if (value == one) return true;
  return false;
}

// Pairs that no rule of the data states, written down by hand.
std::vector<std::string> list_odd_pairs(const User& user) {
  std::vector<std::string> odd;
  const auto check = [&](bool holds, const char* what) {
    if (holds) odd.push_back(what);
  };
  const bool sleeps_long = likes(user, "Alarm", "weekday wake time", {"ten o'clock", "noon"});
  check(sleeps_long && likes(user, "Calendar", "protected time",
                             {"the morning dog walk", "two hours of quiet work at dawn"}),
        "sleeps through what is kept free in the morning");
  check(sleeps_long && likes(user, "Buses", "departure window", {"the first bus of the day"}),
        "sleeps through the first bus");
  check(sleeps_long && likes(user, "Sports", "training time", {"the hour before sunrise"}),
        "trains asleep");
  check(likes(user, "Flights", "meal", {"a halal tray"}) &&
            !likes(user, "Restaurants", "diet", {"halal meat"}),
        "halal in the air only");
  check(likes(user, "Flights", "meal", {"a kosher tray"}) &&
            !likes(user, "Restaurants", "diet", {"kosher food"}),
        "kosher in the air only");
  check(likes(user, "Restaurants", "diet", {"a vegan menu"}) &&
            likes(user, "Flights", "meal", {"the standard tray", "a vegetarian tray"}),
        "vegan on the ground only");
  check(likes(user, "Travel", "budget", {"a shoestring"}) &&
            likes(user, "Flights", "cabin", {"business class on long flights", "premium economy"}),
        "no money but a wide seat");
  check(likes(user, "Train", "seat", {"a wheelchair space"}) &&
            likes(user, "Sports", "activity", {"trail running", "brisk walking"}),
        "runs in a wheelchair");
  check(likes(user, "Train", "seat", {"a wheelchair space"}) &&
            likes(user, "Buses", "seat", {"the upper deck at the front"}),
        "a wheelchair upstairs");
  const std::string occupation = demographic(user, "occupation");
  check(occupation.starts_with("retired") &&
            likes(user, "Media", "delivery time", {"the journey to work"}),
        "retired and commuting");
  check(demographic(user, "household") == "student hall of residence" &&
            !occupation.starts_with("student"),
        "no student in a students' hall");
  check(occupation == "paramedic" &&
            (demographic(user, "education").find("school") != std::string::npos),
        "a paramedic without training");
  check(occupation == "nun" && demographic(user, "gender") != "woman", "a nun who is no woman");
  return odd;
}

TEST(DrawnUsers, AUserIsTheSameInEveryRun) {
  EXPECT_EQ(render_user(draw_user(shipped(), 1, 5)), render_user(draw_user(shipped(), 1, 5)));
  EXPECT_NE(render_user(draw_user(shipped(), 1, 5)), render_user(draw_user(shipped(), 2, 5)));
  EXPECT_NE(render_user(draw_user(shipped(), 1, 5)), render_user(draw_user(shipped(), 1, 6)));
}

// Ten thousand in `scripts/test --long`.
TEST(DrawnUsers, NoneOfManyContradictsItself) {
  const int draws = std::getenv("PERSONASCOPE_LONG") ? 10'000 : 2'000;
  std::map<std::string, int> genders, occupations;
  int shown = 0;
  for (int number = 0; number < draws && shown < 10; ++number) {
    const User user = draw_user(shipped(), 20, number, Summaries::LeftOut);
    for (const Contradiction& found : find_contradictions(shipped(), user)) {
      ADD_FAILURE() << number << " " << found.rule << ": " << found.detail;
      ++shown;
    }
    for (const std::string& odd : list_odd_pairs(user)) {
      ADD_FAILURE() << number << " " << odd;
      ++shown;
    }
    for (const auto& [domain, attributes] : user.affinities)
      for (const Attribute& attribute : attributes)
        EXPECT_FALSE(attribute.values.empty()) << number << " " << domain << " " << attribute.name;
    ++genders[demographic(user, "gender")];
    ++occupations[demographic(user, "occupation")];
  }
  EXPECT_GT(genders["non-binary person"], draws / 100);
  EXPECT_LT(genders["non-binary person"], draws * 4 / 100);
  // Everything that is listed is drawn, and nothing is drawn too often.
  for (const Occupation& occupation : shipped().people->occupations)
    EXPECT_GT(occupations[occupation.name], 0) << occupation.name;
  for (const auto& [name, count] : occupations) EXPECT_LT(count, draws / 20) << name;
}

TEST(DrawnUsers, UsersOfVersionOneContradictThemselves) {
  std::map<std::string, int> rules;
  int total = 0, users = 0;
  for (int number = 0; number < 1000; ++number) {
    const auto found = find_contradictions(shipped(), draw_user(shipped_v1(), 20, number));
    total += static_cast<int>(found.size());
    users += found.empty() ? 0 : 1;
    std::set<std::string> different;
    for (const Contradiction& one : found) different.insert(one.rule);
    for (const std::string& rule : different) ++rules[rule];
  }
  std::string text;
  for (const auto& [rule, count] : rules) text += fmt::format("{}: {}, ", rule, count);
  RecordProperty("contradictions", total);
  RecordProperty("by_rule", text);
  EXPECT_GT(users, 990);
  EXPECT_GT(rules["name"], 500);
  EXPECT_GT(rules["language"], 500);
  EXPECT_GT(rules["diet"], 500);
}

TEST(DrawnUsers, VersionOneDrawsWhatItDrew) {
  ASSERT_EQ(shipped_v1().users.size(), 30u);
  for (const auto& [number, text] : shipped_v1().users)
    EXPECT_EQ(render_user(draw_user(shipped_v1(), 0, number)), trim(text)) << number;
}

TEST(DrawnUsers, TheReadyMadeOnesAreThoseOfSeedZero) {
  ASSERT_EQ(shipped().users.size(), 30u);
  for (const auto& [number, text] : shipped().users)
    EXPECT_EQ(render_user(draw_user(shipped(), 0, number)), trim(text)) << number;
}

TEST(DrawnUsers, SummariesParaphraseAndDoNotRepeatEachOther) {
  constexpr int kUsers = 500;
  std::map<std::string, int> sentences;
  int values = 0, quoted = 0, summaries = 0;
  for (int number = 0; number < kUsers; ++number) {
    const User user = draw_user(shipped(), 3, number);
    for (const auto& [domain, attributes] : user.affinities) {
      const std::string summary = *user.find_summary(domain);
      ++summaries;
      EXPECT_EQ(summary.find('{'), std::string::npos) << summary;
      std::string rest = summary;
      for (std::size_t end; (end = rest.find(". ")) != std::string::npos;) {
        ++sentences[rest.substr(0, end + 1)];
        rest = rest.substr(end + 2);
      }
      ++sentences[rest];
      for (const Attribute& attribute : attributes)
        for (const std::string& value : attribute.values) {
          ++values;
          quoted += summary.find(value) != std::string::npos ? 1 : 0;
        }
    }
  }
  EXPECT_LT(quoted, values / 50) << quoted << " of " << values;
  for (const auto& [sentence, count] : sentences) EXPECT_LT(count, summaries / 50) << sentence;
}

TEST(DrawnUsers, TasksAreThoseOfDomainsThatInterestAndSituationsFit) {
  int snow = 0;
  for (int number = 0; number < 100; ++number) {
    const User user = draw_user(shipped(), 0, number);
    for (const LensTask& task : draw_tasks(shipped(), 0, user, Span::Single)) {
      EXPECT_TRUE(task.id.starts_with("ps-")) << task.id;
      EXPECT_TRUE(std::ranges::any_of(user.interests,
                                      [&](const auto& interest) {
                                        return interest.first == task.domains.front() &&
                                               interest.second;
                                      }))
          << number << " " << task.id;
      for (const Attribute& side : task.situation) {
        if (side.values.front() == "a partner listening in") {
          EXPECT_NE(demographic(user, "household"), "lives alone");
        }
        snow += side.values.front() == "fresh snow" ? 1 : 0;
        if (side.values.front() == "fresh snow") {
          EXPECT_NE(demographic(user, "home"), "Accra, Ghana");
        }
      }
    }
  }
  EXPECT_GT(snow, 0);
}

TEST(DrawnUsers, ASourceHasAsManyAsItIsTold) {
  const auto users = make_drawn_users(shipped(), 1, 3);
  EXPECT_EQ(users->list_users(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(demographic(users->load_user(2).value(), "user_id"), "ps-2");
  EXPECT_EQ(users->load_user(3).error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace personascope::eval::personalens
