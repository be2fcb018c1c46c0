#include "judge/likelihood_summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace personascope::judge {
namespace {

PersonaReading make_reading(std::size_t number, std::size_t persona, double lift, bool is_found) {
  PersonaReading reading;
  reading.id = "a" + std::to_string(number);
  reading.persona = persona;
  reading.tokens = 10;
  reading.neutral = -3;
  reading.candidates = {{persona, -3 + lift}};
  for (std::size_t other = 0; other < 6; ++other)
    if (other != persona) reading.candidates.push_back({other, -3 + lift + (is_found ? -1 : 0.1)});
  reading.parroted = lift / 4;
  return reading;
}

LikelihoodReadings make_readings() {
  LikelihoodReadings readings;
  readings.reader = "embedded/tiny";
  readings.personas = {"a", "b", "c", "d", "e", "f"};
  for (std::size_t i = 0; i < 24; ++i) {
    const double noise = 0.01 * static_cast<double>(i % 5);
    readings.answers.push_back(make_reading(i, i % 6, 0.5 + noise, true));
    readings.control.push_back(make_reading(i, i % 6, 0.1 + noise, false));
  }
  return readings;
}

TEST(LikelihoodSummary, GivesLiftAndIdentificationAgainstTheControl) {
  const auto summary = summarize_readings(make_readings()).value();
  EXPECT_EQ(summary.reader, "embedded/tiny");
  EXPECT_NEAR(summary.answers.lift.value, 0.52, 0.01);
  EXPECT_EQ(summary.answers.lift.clusters, 6u);
  EXPECT_TRUE(summary.answers.lift.interval);
  EXPECT_NEAR(*summary.answers.parroted_share, 0.25, 1e-12);
  EXPECT_EQ(summary.answers.tokens, 240u);
  EXPECT_EQ(summary.answers.identification->accuracy.value, 1);
  ASSERT_TRUE(summary.control);
  EXPECT_LT(summary.control->control.identification->accuracy.value, 0.5);
  EXPECT_NEAR(summary.control->lift.difference.value, 0.4, 1e-12);
  EXPECT_GT(summary.control->identification->difference.value, 0.5);
  EXPECT_FALSE(summary.content_free);
  const Json json = to_json(summary);
  EXPECT_EQ(json["answers"]["identification"]["confusion"][5],
            (Json{{"persona", 5}, {"named", 5}, {"count", 4}}));
  EXPECT_TRUE(json["content_free"].is_null());
  EXPECT_EQ(json["reader"], "embedded/tiny");
}

TEST(LikelihoodSummary, TheOrderOfCompletionDoesNotShow) {
  LikelihoodReadings shuffled = make_readings();
  std::ranges::reverse(shuffled.answers);
  std::rotate(shuffled.control.begin(), shuffled.control.begin() + 7, shuffled.control.end());
  EXPECT_EQ(render_json(to_json(summarize_readings(std::move(shuffled)).value())),
            render_json(to_json(summarize_readings(make_readings()).value())));
}

TEST(LikelihoodSummary, ComparesOverTheQuestionsThatBothHaveRead) {
  LikelihoodReadings readings = make_readings();
  readings.control.resize(12);
  readings.content_free.push_back(make_reading(23, 5, 0, false));
  readings.content_free.push_back(make_reading(99, 5, 0, false));
  const auto summary = summarize_readings(std::move(readings)).value();
  EXPECT_EQ(summary.answers.lift.n, 24u);
  EXPECT_EQ(summary.control->lift.difference.n, 12u);
  EXPECT_EQ(summary.content_free->lift.difference.n, 1u);
}

TEST(LikelihoodSummary, OnePersonaHasLiftButNothingToBeToldFrom) {
  LikelihoodReadings readings;
  readings.personas = {"only"};
  readings.answers.push_back(make_reading(0, 0, -0.2, true));
  readings.answers.front().candidates.resize(1);
  const auto summary = summarize_readings(std::move(readings)).value();
  EXPECT_NEAR(summary.answers.lift.value, -0.2, 1e-12);
  EXPECT_FALSE(summary.answers.lift.interval);
  EXPECT_FALSE(summary.answers.identification);
  const Json answers = to_json(summary)["answers"];
  EXPECT_TRUE(answers["identification"].is_null());
  EXPECT_NE(answers["why_no_identification"].get<std::string>().find("only one persona"),
            std::string::npos);
  EXPECT_FALSE(summary.answers.parroted_share) << "no lift, no share";
}

TEST(LikelihoodSummary, RefusesWhatDoesNotBelongTogether) {
  const auto refused = [](const std::function<void(LikelihoodReadings&)>& spoil) {
    LikelihoodReadings readings = make_readings();
    spoil(readings);
    return !summarize_readings(std::move(readings)).has_value();
  };
  EXPECT_TRUE(refused([](auto& r) { r.answers.clear(); }));
  EXPECT_TRUE(refused([](auto& r) { r.answers[1].id = r.answers[0].id; }));
  EXPECT_TRUE(refused([](auto& r) { r.personas.resize(3); }));
  EXPECT_TRUE(refused([](auto& r) { r.answers[2].candidates.clear(); }));
  EXPECT_TRUE(refused([](auto& r) { r.answers[2].neutral = NAN; }));
  EXPECT_TRUE(refused([](auto& r) { std::swap(r.control[0].id, r.control[1].id); }));
  EXPECT_TRUE(refused([](auto& r) {
    r.control.resize(1);
    r.control[0].id = "other";
  }));
}

}  // namespace
}  // namespace personascope::judge
