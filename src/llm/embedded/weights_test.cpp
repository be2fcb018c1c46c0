#include "llm/embedded/weights.hpp"

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "files/testing/temporary_folder.hpp"
#include "files/text_file.hpp"
#include "llm/embedded/embedded_model.hpp"
#include "llm/embedded/real_model.hpp"
#include "sched/loop.hpp"

namespace personascope::llm::embedded {
namespace {

class WeightsFolder : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) { folder_.write(name, bytes); }
  files::Environment environment() const {
    return files::Environment({{"PERSONASCOPE_MODELS", folder_.path(".")}});
  }
  std::string message_for(const std::string& name) const {
    const auto weights = find_weights(name, environment());
    EXPECT_FALSE(weights);
    if (weights) return "";
    EXPECT_EQ(weights.error().kind, ErrorKind::NotFound);
    return weights.error().message;
  }
  files::TemporaryFolder folder_;
};

TEST_F(WeightsFolder, AreFoundByNameAndByPath) {
  write("tiny.gguf", "GGUF and more");
  const auto named = find_weights("tiny", environment());
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_EQ(named->path, folder_.path("./tiny.gguf"));
  EXPECT_EQ(named->sha256, render_hex(sha256("GGUF and more")));
  const auto by_path = find_weights(folder_.path("./tiny.gguf"), environment());
  ASSERT_TRUE(by_path);
  EXPECT_EQ(by_path->sha256, named->sha256);
}

TEST_F(WeightsFolder, AMissingFileSaysHowToGetIt) {
  EXPECT_NE(message_for("tiny").find("run scripts/setup-model"), std::string::npos);
  write("other.gguf", "GGUF");
  EXPECT_NE(message_for("tiny").find("there are other;"), std::string::npos);
  EXPECT_NE(message_for("no/such.gguf").find("no model file no/such.gguf"), std::string::npos);
}

TEST_F(WeightsFolder, AFolderAndAnotherKindOfFileAreRefused) {
  EXPECT_NE(message_for(folder_.path("")).find("no model file"), std::string::npos);
  write("text.gguf", "not a model");
  EXPECT_NE(message_for("text").find("is not a GGUF file"), std::string::npos);
  write("empty.gguf", "");
  EXPECT_NE(message_for("empty").find("is not a GGUF file"), std::string::npos);
}

TEST_F(WeightsFolder, ADamagedFileIsNoticedByTheHashBesideIt) {
  write("tiny.gguf", "GGUF good");
  write("tiny.gguf.sha256", render_hex(sha256("GGUF good")) + "  tiny.gguf\n");
  EXPECT_TRUE(find_weights("tiny", environment()));
  write("tiny.gguf", "GGUF bad!");
  EXPECT_NE(message_for("tiny").find("is damaged"), std::string::npos);
  for (const std::string& own : {message_for("tiny"), message_for(folder_.path("./tiny.gguf"))}) {
    EXPECT_NE(own.find("is damaged"), std::string::npos) << own;
    EXPECT_EQ(own.find("setup-model"), std::string::npos) << "it cannot bring it back: " << own;
  }
  write("smollm2-135m-q4_1.gguf", "GGUF bad!");
  write("smollm2-135m-q4_1.gguf.sha256", render_hex(sha256("GGUF good")));
  EXPECT_NE(message_for("smollm2-135m-q4_1").find("run scripts/setup-model"), std::string::npos);
}

TEST_F(WeightsFolder, AreListedByNameWithTheirSizes) {
  write("b.gguf", "GGUF");
  write("a.gguf", "GGUF..");
  write("a.gguf.sha256", "x");
  const auto entries = list_weights(environment());
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "a");
  EXPECT_EQ(entries[0].bytes, 6);
  EXPECT_EQ(entries[1].name, "b");
  EXPECT_TRUE(find_problem(entries[0], environment()).starts_with("damaged: "));
  EXPECT_EQ(find_problem(entries[1], environment()), "");
  write("b.gguf", "no model");
  EXPECT_NE(find_problem(entries[1], environment()).find("not a GGUF"), std::string::npos);
  const std::map<std::string, std::string> nowhere{{"PERSONASCOPE_MODELS", "/no/such/folder"}};
  EXPECT_TRUE(list_weights(files::Environment(nowhere)).empty());
}

TEST(DamagedWeights, AFileCutInHalfIsSaidAtOnce) {
  sched::Loop loop;
  files::TemporaryFolder folder;
  const std::string whole = files::load_text(real_model_path(), 1u << 30).value();
  for (const std::size_t length :
       {std::size_t{5}, std::size_t{4000}, whole.size() / 2, whole.size() - 1}) {
    const std::string path = folder.write("half.gguf", whole.substr(0, length));
    const auto model = make_embedded_model(path, {}, files::Environment({}), loop);
    ASSERT_FALSE(model) << length;
    EXPECT_EQ(model.error().kind, ErrorKind::NotFound) << length;
    EXPECT_NE(model.error().message.find("cannot be read as a model"), std::string::npos)
        << model.error().message;
    EXPECT_NE(model.error().message.find("fetch it again"), std::string::npos);
  }
}

}  // namespace
}  // namespace personascope::llm::embedded
