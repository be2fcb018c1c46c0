#include "eval/persona_bench/comparison.hpp"

#include <gtest/gtest.h>

#include "eval/persona_bench/bench_rig.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr const char* kPairs =
    R"({"id": "c1", "a": {"age": "12"}, "b": {"age": "40"}, "question": "Which form?", "kind": "choice", "options": ["Red", "Blue"], "gold": {"a": "Red", "b": "Blue"}}
{"id": "c2", "a": {"income": "10"}, "b": {"income": "20"}, "question": "How much?", "kind": "number", "unit": "dollars", "gold": {"a": 1.5, "b": 3}}
{"id": "c3", "a": {"sex": "Male"}, "b": {"sex": "Female"}, "question": "Which tools?", "kind": "set", "options": ["x", "y", "z"], "gold": {"a": ["x", "y"], "b": ["z"]}}
{"id": "c4", "a": {"race": "White"}, "b": {"race": "Black"}, "question": "What else?", "kind": "open", "gold": {"a": "Tea", "b": "Milk"}}
)";

class ComparisonTest : public testing::Test {
 protected:
  void SetUp() override {
    rig_.folder_.write("prompts/answer-comparison.md", "{persona}\n{question}\nGive {form}\n");
    rig_.folder_.write("prompts/answer-comparison-baseline.md",
                       "Nobody\n{question}\nGive {form}\n");
    rig_.folder_.write("answer-forms.yaml",
                       "choice: \"one of {options}\"\nnumber: \"{unit}\"\nset: \"some of "
                       "{options}\"\nopen: words\n");
    rig_.folder_.write("rubrics/gold.yaml", R"(name: Same
version: 1
asks: Same?
prompt: ../prompts/gold.md
scale: {"no": 0, "yes": 1}
criteria: {"no": other, "yes": same}
)");
    rig_.folder_.write("prompts/gold.md",
                       "Right: {gold}\n[[ANSWER BEGINS]]\n{answer}\n[[ANSWER ENDS]]\n{scale}\n");
    rig_.folder_.write("pairs.jsonl", kPairs);
    rig_.plan_.questions = rig_.folder_.path("pairs.jsonl");
    rig_.plan_.kind = Kind::Comparison;
    rig_.model_.behave_ = BenchRig::wrap([](const std::string& prompt, int) {
      const auto has = [&](const char* part) { return prompt.find(part) != std::string::npos; };
      Json answer = "Tea";                                               // right for a of c4 only
      if (has("Which form?")) answer = has("age: 12") ? "Red" : "Blue";  // both right
      if (has("How much?")) answer = 3;                                  // right for b only
      if (has("Which tools?"))  // in another order for a; wrong for b
        answer = has("sex: Female") ? Json({"x", "z"}) : Json({"y", "x"});
      return render_json({{"reason", "So."}, {"answer", answer}});
    });
    rig_.judge_.behave_ = BenchRig::wrap([](const std::string& prompt, int) {
      return std::string(prompt.starts_with("Right: Tea") ? "Verdict: yes" : "Verdict: no");
    });
  }
  BenchRig rig_;
};

TEST_F(ComparisonTest, ChecksAgainstGoldAndComparesWithTheControl) {
  const Json found = rig_.run().value();
  // Right: c1 a and b, c2 b, c3 a, c4 a: 5 of 8.
  EXPECT_EQ(found["score"]["mean"], 5.0 / 8);
  EXPECT_EQ(found["score"]["n"], 8);
  EXPECT_EQ(find_row(found["kinds"], "kind", "choice")["mean"], 1);
  EXPECT_EQ(find_row(found["kinds"], "kind", "open")["mean"], 0.5);
  EXPECT_EQ(found["consistency"]["both_right"]["mean"], 0.25);
  EXPECT_NEAR(found["consistency"]["same_answer"]["mean"].get<double>(), 1.0 / 3, 1e-12);
  // The control says Blue, 3, {x, y} and Tea: right for one of the two users each time.
  EXPECT_EQ(found["control"]["mean"], 0.5);
  EXPECT_EQ(found["lift"]["delta"], 1.0 / 8);
  EXPECT_EQ(rig_.judge_.asked_, 2);  // equal questions at temperature 0 are asked once
  EXPECT_EQ(rig_.lines_[0]["gold"]["b"], "Blue");
}

TEST_F(ComparisonTest, WithoutAJudgeOpenAnswersAreLeftOut) {
  rig_.plan_.judge = "";
  const Json found = rig_.run().value();
  EXPECT_EQ(found["pairs"], 3);
  EXPECT_EQ(found["score"]["mean"], 4.0 / 6);
  EXPECT_EQ(rig_.judge_.asked_, 0);
}

TEST(Gold, NumbersAreTheirTexts) {
  const Json line = {{"id", "c"},
                     {"a", {{"age", 12}}},
                     {"b", {{"age", 40.5}}},
                     {"question", "?"},
                     {"kind", "set"},
                     {"options", {1, 2.0, "three"}},
                     {"gold", {{"a", {1, 2}}, {"b", {"three"}}}}};
  const auto pair = parse_comparison(line);
  ASSERT_TRUE(pair) << pair.error().message;
  EXPECT_EQ(render_persona(pair->users[1]), "- age: 40.5");
  EXPECT_EQ(pair->options, (std::vector<std::string>{"1", "2", "three"}));
  EXPECT_EQ(is_right(*pair, 0, Json({"2", "1"})), true);
}

TEST(Gold, ASetHasNoOrder) {
  EXPECT_TRUE(is_same_answer({"x", "y"}, {"y", "x"}));
  EXPECT_FALSE(is_same_answer({"x", "y"}, {"x"}));
  EXPECT_TRUE(is_same_answer(3, 3.0));
}

TEST_F(ComparisonTest, AnotherRubricIsAnotherRun) {
  rig_.plan_.data_sha256 = Comparison::load_words(rig_.plan_)->sha256;
  EXPECT_TRUE(rig_.run());
  rig_.folder_.write("prompts/gold.md",
                     "Is it {gold}?\n[[ANSWER BEGINS]]\n{answer}\n[[ANSWER ENDS]]\n{scale}\n");
  EXPECT_TRUE(has(rig_.run().error().message, "have changed since"));
}

TEST_F(ComparisonTest, AnAnswerOfBookLengthIsNotJudged) {
  rig_.model_.behave_ = BenchRig::wrap([](const std::string&, int) {
    return render_json({{"reason", "So."}, {"answer", std::string(70'000, 'x')}});
  });
  const Json found = rig_.run().value();
  EXPECT_EQ(find_row(rig_.lines_, "id", "c4/a")["error"]["kind"], "too_large");
  EXPECT_EQ(rig_.judge_.asked_, 0);
  EXPECT_EQ(found["outcomes"]["failed"], 12);
}

TEST(Gold, BadPairsAreTold) {
  const Json good =
      parse_json(std::string_view(kPairs).substr(0, std::string_view(kPairs).find('\n'))).value();
  EXPECT_TRUE(parse_comparison(good));
  const auto broken = [&](const char* member, Json value) {
    Json line = good;
    line[member] = std::move(value);
    const auto pair = parse_comparison(line);
    return pair ? std::string() : pair.error().message;
  };
  EXPECT_EQ(broken("a", {{"age", 12}}), "");
  EXPECT_EQ(broken("a", {{"age", {12}}}), "\"age\" of \"a\" must be a text or a number");
  EXPECT_EQ(broken("options", {"Red", true}), "\"options\" must be a list of texts or numbers");
  EXPECT_EQ(broken("tolerance", "2"), "\"tolerance\" must be a number of 0 or more");
  EXPECT_EQ(broken("kind", "guess"), "\"kind\" must be choice, number, set or open");
  EXPECT_EQ(broken("a", Json::object()), "\"a\" must be a user: attributes with texts");
  EXPECT_EQ(broken("gold", {{"a", "Green"}, {"b", "Blue"}}),
            "the gold of \"a\" is not a choice out of the options");
  EXPECT_EQ(broken("gold", {{"a", "Blue"}, {"b", "Blue"}}), "both users have the same gold");
}

}  // namespace
}  // namespace personascope::eval::persona_bench
