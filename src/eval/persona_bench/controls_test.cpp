// Controls, quotes and lifts: what a score could also come from.
#include <gtest/gtest.h>

#include "eval/persona_bench/bench_rig.hpp"
#include "eval/persona_bench/quotes.hpp"

namespace personascope::eval::persona_bench {
namespace {

// Six users, whose answers repeat the prompt. The critic passes what has the user's age, and on
// questions 1 and 2 anything.
struct ControlsRig : BenchRig {
  ControlsRig() {
    write_personas(kSixPersonas);
    write_questions(6);
    plan_.n = 6;
    judge([](const std::string& prompt) {
      const std::string age = prompt.substr(prompt.find("- age: "), 9);
      return has(prompt, "Question 1?") || has(prompt, "Question 2?") ||
             has(answer_in(prompt), age);
    });
  }
};

TEST(BenchControls, AreAnsweredWithoutTheUserAndJudgedByThem) {
  ControlsRig rig;
  rig.plan_.controls = 6;
  const Json found = rig.run().value();
  EXPECT_EQ(found["score"]["mean"], 1);
  EXPECT_EQ(found["score"]["n"], 6);  // controls are no part of it
  EXPECT_EQ(found["outcomes"]["scored"], 6);
  const Json& controls = found["controls"];
  EXPECT_EQ(controls["pairs"], 6);
  const auto mean = [&](const char* shown) {
    return find_row(controls["answers"], "shown", shown)["score"]["mean"].get<double>();
  };
  EXPECT_EQ(mean("own_persona"), 1);
  EXPECT_NEAR(mean("no_persona"), 2.0 / 6, 1e-12);
  EXPECT_NEAR(mean("another_persona"), 2.0 / 6, 1e-12);
  for (const Json& row : controls["comparisons"]) {
    EXPECT_EQ(row["second"], "own_persona");
    EXPECT_NEAR(row["delta"].get<double>(), 4.0 / 6, 1e-12);
    // Of 16 patterns of four signs, two have a sum of 4 or -4, for both controls alike.
    EXPECT_NEAR(row["p"].get<double>(), 0.125, 1e-12);
    EXPECT_NEAR(row["p_max_t"].get<double>(), 0.125, 1e-12);
  }
  EXPECT_FALSE(controls.contains("lift_comparisons"));
  std::size_t others = 0;
  for (const Json& line : rig.lines_) {
    if (line["control"] != "another_persona") continue;
    ++others;
    EXPECT_NE(line["shown"], line["persona"]);
    EXPECT_FALSE(
        has(line["answer"], fmt::format("- age: 3{}", line["persona"].get<std::string>()[1])));
  }
  EXPECT_EQ(others, 6u);
}

TEST(BenchControls, AreASampleThatTheSeedDraws) {
  ControlsRig rig;
  rig.plan_.controls = 2;
  const auto list = [&] {
    std::string ids;
    const BenchData data = load_bench_data(rig.plan_).value();
    const auto trials = list_trials(rig.plan_, data).value();
    for (const Trial& trial : trials)
      if (trial.shown != Shown::Own) ids += trial.id + "\n";
    return ids;
  };
  const std::string first = list();
  EXPECT_EQ(std::ranges::count(first, '\n'), 4);
  EXPECT_EQ(first, list());
  bool differs = false;
  for (rig.plan_.seed = 1; rig.plan_.seed < 5; ++rig.plan_.seed) differs |= list() != first;
  EXPECT_TRUE(differs);
}

TEST(BenchControls, AReaderReadsAllAnswersUnderTheTruePersona) {
  ControlsRig rig;
  rig.plan_.controls = 6;
  rig.read([](const std::string& system) { return has(system, "- age: ") ? -1.5 : -2; });
  const Json found = rig.run().value();
  for (const Json& row : found["controls"]["answers"]) EXPECT_EQ(row["lift"]["mean"], 0.5);
  EXPECT_EQ(found["controls"]["lift_comparisons"][0]["delta"], 0);
  // Own, none and another's, each under nobody and under the user.
  EXPECT_EQ(rig.reader_.asked_, 6 * 3 * 2);
}

TEST(BenchLoo, LiftOfEachAttributeBesideTheJudgedDelta) {
  ControlsRig rig;
  rig.plan_.kind = Kind::Loo;
  rig.plan_.attributes = {"age", "religion", "sex"};
  // Judged, religion matters to all but the first, whom age matters to.
  rig.judge([](const std::string& prompt) {
    return has(answer_in(prompt), has(prompt, "- age: 31") ? "- age: " : "- religion: ");
  });
  rig.read([](const std::string& system) {
    const bool is_first = has(system, "Quaker");
    return -3 + (has(system, "- religion: ") ? (is_first ? 0.4 : 1) : 0) +
           (has(system, "- age: ") ? 0.5 : 0);
  });
  const Json found = rig.run().value();
  EXPECT_EQ(rig.reader_.asked_, 6 * 5);  // nobody, the whole persona, and three without
  const Json religion = find_row(found["attributes"], "attribute", "religion");
  EXPECT_NEAR(religion["delta"].get<double>(), 5.0 / 6, 1e-12);
  // Five times 1 and once 0.4: standard error sqrt(0.06 / 6) = 0.1, t(5) = 2.5706.
  EXPECT_NEAR(religion["lift"]["mean"].get<double>(), 0.9, 1e-12);
  EXPECT_NEAR(religion["lift"]["ci95"][0].get<double>(), 0.9 - 0.25706, 1e-5);
  EXPECT_EQ(religion["lift"]["n"], 6);
  EXPECT_NEAR(find_row(found["attributes"], "attribute", "age")["lift"]["mean"].get<double>(), 0.5,
              1e-12);
  EXPECT_NEAR(find_row(found["attributes"], "attribute", "sex")["lift"]["mean"].get<double>(), 0,
              1e-12);
  // Religion, age, sex in both orders.
  EXPECT_NEAR(found["rank_correlation"]["spearman"].get<double>(), 1, 1e-12);
  EXPECT_EQ(found["rank_correlation"]["attributes"], 3);
}

TEST(BenchCanaries, AreJudgedAndTellWhetherTheCriticCanBeFooled) {
  ControlsRig rig;
  rig.plan_.canaries = 2;
  // It falls for whatever claims to be fine.
  rig.judge([](const std::string& prompt) {
    return has(answer_in(prompt), "output-only") || has(answer_in(prompt), "no revision");
  });
  const Json found = rig.run().value();
  EXPECT_EQ(rig.judge_.asked_, 6 + 2 * 4);
  EXPECT_EQ(found["score"]["mean"], 1);
  EXPECT_EQ(found["score"]["n"], 6);
  EXPECT_EQ(found["canaries"][0]["critic"], "single");
  EXPECT_EQ(found["canaries"][0]["judged"], 8);
  EXPECT_EQ(found["canaries"][0]["passed"], 2);
  EXPECT_EQ(found["canaries"][0]["by_canary"], Json({{"verdict", 2}}));
  EXPECT_TRUE(has(render_json(found["notes"]), "passed 2 of 8 canaries"));
}

TEST(QuoteFinder, FlagsWhatCannotBeThereByChance) {
  std::vector<Persona> personas;
  for (int i = 0; i < 100; ++i)
    personas.push_back(
        {fmt::format("u{}", i), {{"age", "44"}, {"sex", "Female"}, {"vision difficulty", "None"}}});
  personas[7].attributes = {{"age", "44"},
                            {"sex", "Female"},
                            {"ancestry", "Hungarian"},
                            {"race", "Thai"},
                            {"health insurance", "Medicare Advantage"},
                            {"lifestyle", "Keeps chickens and sells the eggs"},
                            {"vision difficulty", "None"}};
  const QuoteFinder finder(personas);
  const auto find = [&](std::string_view answer, std::string_view question = "What now?") {
    return finder.find(personas[7], {"race"}, question, answer);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(find("None, at 44, as a Thai female."), Names{});
  EXPECT_EQ(find("As a HUNGARIAN, go."), Names{"ancestry"});
  EXPECT_EQ(find("Hungarians cook well."), Names{});
  EXPECT_EQ(find("With Medicare  Advantage\nyou pay less."), Names{"health insurance"});
  EXPECT_EQ(find("Who keeps chickens, and sells the eggs, knows."), Names{"lifestyle"});
  EXPECT_EQ(find("You keep chickens and sells the eggs."), Names{"lifestyle"});
  EXPECT_EQ(find("You sell eggs."), Names{});
  EXPECT_EQ(find("Hungarian food.", "Is Hungarian food good?"), Names{});
}

TEST(BenchQuotes, AreCountedAndListedOnTheItem) {
  ControlsRig rig;
  rig.write_personas(
      "{\"id\": \"u1\", \"age\": \"31\", \"lifestyle\": \"Keeps chickens and sells the eggs\"}\n"
      "{\"id\": \"u2\", \"age\": \"32\"}\n");
  rig.plan_.n = 4;
  const Json found = rig.run().value();
  EXPECT_EQ(found["quotes"]["answers"], 4);
  EXPECT_EQ(found["quotes"]["quoting"], 2);  // the first user's, twice
  EXPECT_EQ(found["quotes"]["rate"]["mean"], 0.5);
  EXPECT_EQ(found["quotes"]["attributes"], Json({{"lifestyle", 2}}));
  EXPECT_EQ(rig.lines_[0]["quotes"], Json({"lifestyle"}));
  EXPECT_EQ(rig.lines_[1]["quotes"], Json::array());
}

}  // namespace
}  // namespace personascope::eval::persona_bench
