#include "eval/lift/lift_input.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "eval/lift/lift.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::lift {
namespace {

class LiftInputTest : public testing::Test {
 protected:
  InputFile write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path(name);
    std::ofstream(path) << text;
    return {.path = path, .sha256 = {}, .lines = 0};
  }

  files::TemporaryFolder folder_;
};

TEST_F(LiftInputTest, ThePersonasOfTheAnswersAreThePersonas) {
  LiftFiles files;
  files.answers = write("a.jsonl",
                        R"({"id": "x", "persona": "a sailor", "question": "q", "answer": "Ahoy."}
{"id": 7, "persona": "a baker", "question": "q", "text": "Bread."}
{"id": "z", "persona": "a sailor", "question": "q", "answer": ""}
)");
  const auto input = load_lift_input(files).value();
  EXPECT_EQ(input.personas, (std::vector<std::string>{"a sailor", "a baker"}));
  ASSERT_EQ(input.items.size(), 3u);
  EXPECT_EQ(input.items[1].id.json, "7");
  EXPECT_EQ(input.items[1].answer, "Bread.");
  EXPECT_EQ(input.items[2].persona, 0u);
  EXPECT_FALSE(input.items[0].control);
  EXPECT_EQ(files.answers.lines, 3);
  EXPECT_EQ(files.answers.sha256.size(), 64u);
}

TEST_F(LiftInputTest, AFileOfPersonasNamesThemAndControlsBelongByTheirId) {
  LiftFiles files;
  files.answers = write("a.jsonl",
                        R"({"id": "x", "persona": "p2", "question": "q", "answer": "Bread."}
{"id": "y", "persona": "a sailor", "question": "q", "answer": "Ahoy."}
)");
  files.personas = write("p.jsonl", R"({"id": "p1", "persona": "a sailor"}
{"id": "p2", "persona": "a baker", "age": 40}
{"id": "p3", "persona": "a monk"}
)");
  files.control = write("c.jsonl", R"({"id": "y", "answer": "Hello."}
{"id": "other", "answer": "Unused."}
)");
  const auto input = load_lift_input(files).value();
  EXPECT_EQ(input.names, (std::vector<std::string>{"p1", "p2", "p3"}));
  EXPECT_EQ(input.items[0].persona, 1u);
  EXPECT_EQ(input.items[1].persona, 0u);
  EXPECT_FALSE(input.items[0].control);
  EXPECT_EQ(input.items[1].control, "Hello.");
}

TEST_F(LiftInputTest, SaysWhichLineIsWrong) {
  const auto complaint = [&](const std::string& line) {
    LiftFiles files;
    files.answers = write("bad.jsonl", line + "\n");
    return load_lift_input(files).error().message;
  };
  EXPECT_NE(complaint(R"({"id": 1, "question": "q", "answer": "a"})").find("\"persona\""),
            std::string::npos);
  EXPECT_NE(complaint(R"({"id": 1, "persona": 5, "question": "q", "answer": "a"})").find("line 1"),
            std::string::npos);
  EXPECT_NE(complaint("[]").find("line 1"), std::string::npos);
  EXPECT_NE(complaint("{").find("line 1"), std::string::npos);
}

TEST(LiftPlan, ComesBackAsItWasStored) {
  LiftPlan plan;
  plan.files.answers = {.path = "/a.jsonl", .sha256 = "ab", .lines = 3};
  plan.files.control = {.path = "/c.jsonl", .sha256 = "cd", .lines = 2};
  plan.model = "embedded/smollm2-135m";
  plan.distractors = {.near = 1, .far = 2, .seed = 9};
  plan.content_free = true;
  const Json stored = to_json(plan);
  EXPECT_EQ(to_json(parse_lift_plan(stored).value()), stored);
  for (const char* member : {"input", "model", "near", "far", "seed"}) {
    Json damaged = stored;
    damaged.erase(member);
    EXPECT_FALSE(parse_lift_plan(damaged)) << member;
  }
}

}  // namespace
}  // namespace personascope::eval::lift
