// How options and stored plans become a run of `lift`.
#include <gtest/gtest.h>

#include "eval/lift/lift.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::lift {
namespace {

class LiftPlanning : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& answer) {
    return folder_.write(
        name, fmt::format(R"({{"id": 1, "persona": "a sailor", "question": "q", "answer": "{}"}})",
                          answer) +
                  "\n");
  }
  Result<PreparedEvaluation> prepare(const Json& given) {
    return prepare_lift({settings_, folder_.path("")}, "", given);
  }

  files::TemporaryFolder folder_;
  files::Environment settings_{std::map<std::string, std::string>{}};
};

TEST_F(LiftPlanning, APlanComesBackAsItWasStored) {
  const auto prepared = prepare({{"answers", write("a.jsonl", "Ahoy.")},
                                 {"control", write("c.jsonl", "Hello.")},
                                 {"distractors", 5},
                                 {"seed", 9}});
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_FALSE(prepared->options.output) << "only the summary";
  EXPECT_FALSE(prepared->has_judge) << "a likelihood is the same every time";
  EXPECT_EQ(prepared->plan["near"], 2);
  EXPECT_EQ(prepared->plan["far"], 3);
  const auto again = load_lift(prepared->plan);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->plan, prepared->plan);
}

TEST_F(LiftPlanning, AFileThatHasChangedIsNotTakenUpAgain) {
  const Json plan =
      prepare({{"answers", write("a.jsonl", "Ahoy.")}, {"control", write("c.jsonl", "Hello.")}})
          ->plan;
  write("c.jsonl", "Hi.");
  EXPECT_NE(load_lift(plan).error().message.find("c.jsonl has changed"), std::string::npos);
  write("c.jsonl", "Hello.");
  EXPECT_TRUE(load_lift(plan));
}

TEST_F(LiftPlanning, AnInputIsNotOverwritten) {
  const std::string answers = write("a.jsonl", "Ahoy.");
  EXPECT_FALSE(prepare({{"answers", answers}, {"output", answers}}));
  EXPECT_FALSE(prepare({{"answers", folder_.path("none")}}));
}

}  // namespace
}  // namespace personascope::eval::lift
