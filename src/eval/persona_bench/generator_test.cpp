#include "eval/persona_bench/generator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "eval/persona_bench/diversity.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::persona_bench {
namespace {

class GeneratorFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  void SetUp() override {
    write("origins.yaml", "ancestries: {Italy: Italian}\nlanguages: {Italian: Italian}\n");
    write("lists.yaml", R"(
mannerisms:
  - {text: Hums, never: {sex: Male}}
  - {text: Nods, only: {age: 30-60}}
)");
    write("jobs.yaml", "jobs: {Female: [Pilot], Male: [Cook]}\n");
    write("rules.yaml", "rules:\n  - {id: old-men, if: {sex: Male}, must: {age: 50-60}}\n");
    write("marginals.yaml", R"(
draws:
  - attribute: age
    tables: [{ranges: {20-29: 50, 30-60: 50}}]
  - attribute: sex
    tables: [{when: {age: 20-29}, values: {Female: 100}}, {values: {Female: 25, Male: 75}}]
  - attribute: place of birth
    tables: [{values: {Italy: 1}}]
  - attribute: ancestry
    tables: [{values: {"{ancestry}": 1}}]
  - attribute: household language
    tables: [{values: {"{language}": 1}}]
  - hidden: luck
    tables: [{values: {good: 1}}]
  - attribute: income
    tables: [{lognormal: {median: 40000, sigma: 1, least: 1000, most: 90000, round: 500, form: "${} a year"}}]
  - attribute: big five scores
    tables: [{normal: {scores: [openness, warmth], mean: 50, sd: 10, least: 45, most: 55}}]
  - attribute: mannerisms
    list: mannerisms
  - attribute: detailed job description
    list: jobs
    by: sex
)");
  }
  Result<Generator> load() const { return Generator::load(folder_.path("")); }

  files::TemporaryFolder folder_;
};

TEST_F(GeneratorFiles, EveryPersonaObeysTablesListsAndRules) {
  const auto population = load().value().draw(400, 7).value();
  ASSERT_EQ(population.personas.size(), 400u);
  std::size_t men = 0;
  for (const Persona& persona : population.personas) {
    const int age = std::stoi(*persona.find("age"));
    const bool male = *persona.find("sex") == "Male";
    men += male ? 1 : 0;
    EXPECT_TRUE(age >= 20 && age <= 60);
    if (male) {
      EXPECT_GE(age, 50);
      EXPECT_EQ(*persona.find("mannerisms"), "Nods");
    }
    if (age < 30) {
      EXPECT_EQ(*persona.find("mannerisms"), "Hums");
    }
    EXPECT_EQ(*persona.find("detailed job description"), male ? "Cook" : "Pilot");
    EXPECT_EQ(*persona.find("ancestry"), "Italian");
    EXPECT_EQ(*persona.find("household language"), "Italian");
    EXPECT_FALSE(persona.find("luck"));
    const double income = find_first_number(*persona.find("income")).value();
    EXPECT_TRUE(income >= 1000 && income <= 90000 && std::fmod(income, 500) == 0) << income;
    const double openness = find_first_number(*persona.find("big five scores")).value();
    EXPECT_TRUE(openness >= 45 && openness <= 55) << openness;
  }
  EXPECT_GT(men, 40u);  // about 19 %: a half may be men, and 11 of 31 ages of those may stay
  EXPECT_GT(population.drawn_anew.at("old-men"), 40u);
}

TEST_F(GeneratorFiles, APersonaDependsOnSeedAndNumberAlone) {
  const Generator generator = load().value();
  const auto few = generator.draw(5, 1).value();
  const auto many = generator.draw(50, 1).value();
  const auto others = generator.draw(5, 2).value();
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(render_line(few.personas[i]), render_line(many.personas[i]));
  EXPECT_NE(render_line(few.personas[0]), render_line(others.personas[0]));
}

TEST_F(GeneratorFiles, WhatCannotBeDrawnIsSaid) {
  write("rules.yaml", "rules: [{id: nobody, if: {age: 20-60}, must: {age: 99-99}}]\n");
  EXPECT_NE(load().value().draw(1, 0).error().message.find("nobody"), std::string::npos);
  write("rules.yaml", "rules: [{id: r, if: {height: 20-60}, must: {age: 99-99}}]\n");
  EXPECT_EQ(load().error().message, "r: \"height\" is not drawn before");
}

TEST(Diversity, CountsValuesEvennessAndDuplicates) {
  const std::vector<Persona> personas{{"1", {{"sex", "Female"}, {"age", "30"}}},
                                      {"2", {{"sex", "Female"}, {"age", "30"}}},
                                      {"3", {{"sex", "Female"}, {"age", "31"}}},
                                      {"4", {{"sex", "Male"}}}};
  const Diversity diversity = measure_diversity(personas, {{"sex", 2}, {"age", 77}});
  EXPECT_EQ(diversity.duplicates, 1u);
  ASSERT_EQ(diversity.attributes.size(), 2u);
  const double entropy = -(0.75 * std::log(0.75) + 0.25 * std::log(0.25));
  EXPECT_NEAR(*diversity.attributes[0].evenness, entropy / std::log(2), 1e-12);
  EXPECT_EQ(diversity.attributes[1].n, 3u);
  EXPECT_EQ(diversity.attributes[1].distinct, 2u);
  EXPECT_EQ(to_json(diversity)["attributes"][1]["coverage"], 2.0 / 77);
}

TEST(Condition, ReadsRangesAndFirstNumbers) {
  EXPECT_EQ(find_first_number("$48,000 a year"), 48000);
  EXPECT_EQ(find_first_number("2.5 of 3"), 2.5);
  EXPECT_EQ(find_first_number("1, 2"), 1);
  EXPECT_FALSE(find_first_number("none"));
  EXPECT_EQ(find_range("18-34"), std::pair(18.0, 34.0));
  for (const char* text : {"", "-", "18", "34-18", "a-b", "-5", "18-", "self-employed"})
    EXPECT_FALSE(find_range(text)) << text;
  const Condition rich{"income", {}, std::pair(40000.0, 50000.0)};
  EXPECT_TRUE(holds(rich, "$48,000 a year"));
  EXPECT_FALSE(holds(rich, "No income of their own"));
  EXPECT_TRUE(holds({"sex", {"female"}, {}}, "Female"));
}

}  // namespace
}  // namespace personascope::eval::persona_bench
