// How options and stored plans become a run of judges.
#include <gtest/gtest.h>

#include "eval/judging/judging.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::judging {
namespace {

class JudgePlanning : public testing::Test {
 protected:
  JudgePlanning() {
    given_ = {{"answers", write_answers("Ahoy.")},
              {"rubric", write_rubric("a")},
              {"judges", {"openai/a", "openai/b"}}};
  }
  std::string write_answers(const std::string& answer) {
    return folder_.write(
        "answers.jsonl",
        fmt::format(R"({{"id": 1, "persona": "p", "question": "q", "answer": "{}"}})", answer) +
            "\n");
  }
  std::string write_rubric(const std::string& criterion) {
    return folder_.write(
        "rubric.yaml",
        fmt::format("name: W\nversion: 1\nscale: [1, 5]\ncriteria: {{1: {}, 5: b}}\n", criterion));
  }
  Result<PreparedEvaluation> prepare(const Json& more = Json::object()) {
    Json given = given_;
    given.update(more);
    return prepare_judging({settings_, folder_.path("")}, "", given);
  }

  files::TemporaryFolder folder_;
  files::Environment settings_{std::map<std::string, std::string>{}};
  Json given_;
};

TEST_F(JudgePlanning, APlanComesBackAsItWasStored) {
  const auto prepared =
      prepare({{"escalate", "openai/c"}, {"base_url", "http://u:secret@host/v1"}});
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_EQ(prepared->addressed, (std::vector<std::string>{"openai/a", "openai/b", "openai/c"}));
  EXPECT_TRUE(prepared->has_judge);
  EXPECT_EQ(prepared->options.output, "-");
  EXPECT_EQ(prepared->plan["cluster"], "persona") << "every line has one";
  EXPECT_EQ(render_json(prepared->plan).find("secret"), std::string::npos);
  const auto again = load_judging(prepared->plan);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->plan, prepared->plan);
}

TEST_F(JudgePlanning, AFileThatHasChangedIsNotTakenUpAgain) {
  const Json plan = prepare()->plan;
  write_answers("Aye.");
  EXPECT_NE(load_judging(plan).error().message.find("answers.jsonl has changed"),
            std::string::npos);
  write_answers("Ahoy.");
  EXPECT_TRUE(load_judging(plan));
  write_rubric("c");
  EXPECT_NE(load_judging(plan).error().message.find("rubric.yaml has changed"), std::string::npos);
}

TEST_F(JudgePlanning, WhatCannotWorkIsRefusedBeforeAnythingIsSent) {
  const auto complaint = [&](const Json& more) {
    const auto prepared = prepare(more);
    return prepared ? std::string() : prepared.error().message;
  };
  EXPECT_EQ(complaint(Json::object()), "");
  EXPECT_NE(complaint({{"cluster", "town"}}).find("`cluster`"), std::string::npos);
  EXPECT_NE(complaint({{"output", given_["rubric"]}}).find("`output`"), std::string::npos);
  EXPECT_NE(complaint({{"judges", {"openai/a", "openai/a"}}}).find("twice"), std::string::npos);
  EXPECT_NE(complaint({{"rubric", folder_.path("none.yaml")}}), "");
}

}  // namespace
}  // namespace personascope::eval::judging
