#include "eval/personagym/refusal.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/json.hpp"
#include "files/line_reader.hpp"

namespace personascope::eval::personagym {
namespace {

TEST(Refusal, IsWhatAProgramSays) {
  for (const char* answer :
       {"As an AI language model, I do not have a mother.",
        "I'm sorry, but I can’t assist with that.", "I can't roleplay as a real person.",
        "I cannot fulfill this request.", "As an AI, I have no opinion.",
        "Sorry, as an AI I don't eat.", "I am an AI assistant."})
    EXPECT_TRUE(declines_role(answer, "a nurse")) << answer;
}

TEST(Refusal, IsNotWhatAPersonaSays) {
  for (const char* answer :
       {"", "No. I can't help you carry that, my back is gone.", "I refuse to sign it.",
        "I cannot, my son, and you know why.", "As an aide to the senator I said nothing.",
        "As an AI researcher I'd look at the data first.", "I'm an AI engineer, not a doctor."})
    EXPECT_FALSE(declines_role(answer, "an AI researcher")) << answer;
}

TEST(Refusal, IsNotThatAMachineSpeaksAsOne) {
  for (const char* persona : {"an old robot", "the AI of a space ship", "an AI assistant"}) {
    EXPECT_FALSE(declines_role("As an AI, I never sleep.", persona)) << persona;
    EXPECT_TRUE(declines_role("As an AI language model, I cannot.", persona)) << persona;
  }
}

TEST(Refusal, IsNotThatAnAnswerBreaksCharacterAndGoesOn) {
  EXPECT_FALSE(declines_role(
      "As an AI, I have no boat, but I can imagine it. He'd turn round at once.", "a skipper"));
  EXPECT_FALSE(declines_role("'Quick!' As a large language model I know little of it.", "a maid"));
}

TEST(Refusal, IsNotWhatAPersonaQuotes) {
  EXPECT_FALSE(
      declines_role("Suppose it says, 'As an AI I have no opinion.' And then?", "a teacher"));
  EXPECT_FALSE(declines_role("\"I can't assist with that\" is line four, sir.", "a clerk"));
  EXPECT_TRUE(declines_role("I don't mind, but as an AI, I can't eat.", "a cook"));
}

struct Labelled {
  int answers = 0;
  int flagged = 0;
};

// The rules were written with these answers in view, so that they find fewer of others.
TEST(Refusal, TheRulesOnSixtyLabelledAnswers) {
  auto reader = files::LineReader::open(PERSONASCOPE_DATA "/gym/refusals.jsonl").value();
  std::map<std::string, Labelled> labels;
  while (const auto line = reader.next().value()) {
    const Json row = parse_json(*line).value();
    Labelled& label = labels[row.at("label")];
    ++label.answers;
    if (!declines_role(row.at("answer").get<std::string>(), row.at("persona").get<std::string>()))
      continue;
    ++label.flagged;
    const bool may_be = row.at("label") == "refuses" || row.at("label") == "breaks-character";
    EXPECT_TRUE(may_be) << row.at("id");
  }
  EXPECT_EQ(labels["refuses"].answers, 25);
  EXPECT_EQ(labels["declines-in-persona"].answers, 10);
  EXPECT_EQ(labels["breaks-character"].answers, 10);
  EXPECT_EQ(labels["plays"].answers, 15);
  EXPECT_EQ(labels["refuses"].flagged, 18);
  EXPECT_EQ(labels["breaks-character"].flagged, 0);
}

}  // namespace
}  // namespace personascope::eval::personagym
