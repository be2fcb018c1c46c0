// How options and stored plans become a batch.
#include <gtest/gtest.h>

#include "eval/batch/batch.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::batch {
namespace {

constexpr const char* kLine =
    R"({{"id": "{}", "messages": [{{"role": "user", "content": "{}"}}]{}}})";

class BatchPlanning : public testing::Test {
 protected:
  std::string write(const std::string& content, const std::string& more = "") {
    return folder_.write("in.jsonl", fmt::format(fmt::runtime(kLine), "a", content, more) + "\n");
  }
  Result<PreparedEvaluation> prepare(const Json& given) {
    return prepare_batch({settings_, folder_.path("")}, "", given);
  }

  files::TemporaryFolder folder_;
  files::Environment settings_{std::map<std::string, std::string>{}};
};

TEST_F(BatchPlanning, APlanComesBackAsItWasStored) {
  const auto prepared = prepare({{"requests", write("hello")},
                                 {"model", "openai/m"},
                                 {"base_url", "http://user:secret@host/v1"}});
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_EQ(prepared->options.output, "-") << "standard output, unless a file is named";
  EXPECT_EQ(prepared->options.base_url, "http://user:secret@host/v1");
  EXPECT_EQ(prepared->addressed, std::vector<std::string>{"openai/m"});
  EXPECT_FALSE(prepared->has_judge);
  EXPECT_EQ(render_json(prepared->plan).find("secret"), std::string::npos);
  const auto again = load_batch(prepared->plan);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->plan, prepared->plan);
}

TEST_F(BatchPlanning, ALineOfAJudgeCanBeScoredAgain) {
  const auto prepared =
      prepare({{"requests", write("hello", R"(, "role": "judge")")}, {"model", "openai/m"}});
  ASSERT_TRUE(prepared);
  EXPECT_TRUE(prepared->has_judge);
}

TEST_F(BatchPlanning, AFileThatHasChangedIsNotTakenUpAgain) {
  const auto prepared = prepare({{"requests", write("hello")}, {"model", "openai/m"}});
  ASSERT_TRUE(prepared);
  write("hello you");
  const auto changed = load_batch(prepared->plan);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().kind, ErrorKind::Invalid);
  EXPECT_NE(changed.error().message.find("has changed since the run was started"),
            std::string::npos);
}

TEST_F(BatchPlanning, BadInputIsRefusedBeforeAnythingIsSent) {
  const std::string path = write("hello");
  EXPECT_FALSE(prepare({{"requests", folder_.path("none")}, {"model", "openai/m"}}));
  EXPECT_FALSE(prepare({{"requests", path}, {"model", "openai/m"}, {"output", path}}))
      << "it would overwrite its input";
  settings_ = files::Environment(std::map<std::string, std::string>{{"OPENAI_API_KEY", "k"}});
  EXPECT_FALSE(prepare({{"requests", path}})) << "a model must be named where there is a key";
  for (const char* text : {"{}", "[]", "null", R"({"input": 7})"})
    EXPECT_EQ(load_batch(parse_json(text).value()).error().kind, ErrorKind::Invalid) << text;
}

}  // namespace
}  // namespace personascope::eval::batch
