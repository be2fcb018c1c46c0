#include "eval/personalens/score_summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace personascope::eval::personalens {
namespace {

TEST(ScoreSummary, CountsAndMeansAreThoseOfTheRows) {
  const std::vector<ScoreRow> rows{{0, 0, 1}, {0, 1, 2.5}, {1, 0, 4}};
  const Json value = summarize_scores(rows, {1, 4});
  EXPECT_EQ(value["count"], 3);
  EXPECT_EQ(value["mean"], 2.5);
  EXPECT_EQ(value["min"], 1.0);
  EXPECT_EQ(value["max"], 4.0);
  EXPECT_EQ(value["distribution"], (Json{{"1", 1}, {"2", 0}, {"3", 1}, {"4", 1}}));
  EXPECT_TRUE(value["ci95"].is_null()) << "two users are too few";
  EXPECT_EQ(value["caveats"], Json::array({"no interval: it needs at least 5 users"}));
}

TEST(ScoreSummary, WithoutRowsThereIsNoNumber) {
  const Json value = summarize_scores({}, {0, 1});
  EXPECT_EQ(value["count"], 0);
  EXPECT_TRUE(value["rate"].is_null());
  EXPECT_TRUE(value["ci95"].is_null());
}

TEST(ScoreSummary, TheIntervalTakesUsersAndTasksIntoAccount) {
  // Each of six users has one score throughout: 36 rows are worth six.
  std::vector<ScoreRow> rows;
  for (std::size_t user = 0; user < 6; ++user)
    for (std::size_t task = 0; task < 6; ++task)
      rows.push_back({user, task, user % 2 == 0 ? 2.0 : 4.0});
  const Json value = summarize_scores(rows, {1, 5});
  EXPECT_EQ(value["mean"], 3.0);
  // Variance by user with CR1: sum of (6 * 1)^2 over 6 users, times 6/5, over 36^2.
  EXPECT_NEAR(value["standard_error"].get<double>(), std::sqrt(6 * 36 * 1.2) / 36, .05);
  EXPECT_EQ(value["clusters"], 6);
}

TEST(ScoreSummary, DomainsAreKeptApart) {
  const std::vector<ScoreRow> rows{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  EXPECT_EQ(
      summarize_by_domain(rows, {0, 1}, {"Zoo", "Alarm"}),
      (Json{{"Alarm", {{"count", 1}, {"rate", 0.0}}}, {"Zoo", {{"count", 2}, {"rate", .5}}}}));
}

}  // namespace
}  // namespace personascope::eval::personalens
