#include "eval/persona_bench/persona_writing.hpp"

#include <gtest/gtest.h>

#include "eval/persona_bench/bench_rig.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::persona_bench {
namespace {

bool has_text(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Writes personas of our own tables with models that the test steers.
class PersonaWritingTest : public testing::Test {
 protected:
  PersonaWritingTest() {
    model_.endpoint_.model = "model";
    judge_.endpoint_.model = "judge";
    plan_.folder = PERSONASCOPE_DATA "/bench";
    plan_.personas_to = folder_.path("written.jsonl");
    plan_.model = "fake/model";
    plan_.judge = "fake/judge";
    plan_.count = 4;
    plan_.seed = 1;
    model_.behave_ = BenchRig::wrap([this](const std::string&, int) {
      const int number = ++asked_;
      Json phrases = Json::object();
      for (const std::string_view name : kOpenAttributes)
        phrases[std::string(name)] = fmt::format("Phrase {} on {}", number, name);
      if (number == 3) phrases["lifestyle"] = " ";
      return render_json(phrases);
    });
    // The judge holds the second to be impossible.
    judge_.behave_ = BenchRig::wrap([](const std::string& prompt, int) {
      const bool is_second = has_text(prompt, "Phrase 2 on mannerisms");
      return fmt::format("They differ.\nVerdict: {}", is_second ? "no" : "yes");
    });
  }

  Result<Json> run() {
    ASSIGN_OR_RETURN(auto writing, PersonaWriting::create(plan_, [this](const std::string& name) {
                       return Result<llm::Model*>(name == plan_.judge ? &judge_ : &model_);
                     }));
    records_.clear();
    ItemContext context{.chain = chain_.chain(), .record = [this](ItemRecord record) {
                          records_.push_back(std::move(record));
                        }};
    for (std::int64_t piece = 0; piece < writing->pieces(); ++piece) {
      chain_.loop().spawn(writing->work(context, piece));
      chain_.loop().run();
    }
    return writing->finish();
  }

  files::TemporaryFolder folder_;
  llm::ChainBench chain_;
  llm::FakeModel model_;
  llm::FakeModel judge_;
  WritingPlan plan_;
  std::vector<ItemRecord> records_;
  int asked_ = 0;
};

TEST_F(PersonaWritingTest, KeepsTheConsistentAndSaysWhyOthersWereDropped) {
  const Result<Json> found = run();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)["evaluation"], "bench/personas");
  EXPECT_EQ((*found)["asked"], 4);
  EXPECT_EQ((*found)["kept"], 2);
  EXPECT_EQ((*found)["dropped"], 1);
  EXPECT_EQ((*found)["failed"], 1);  // an empty phrase
  ASSERT_EQ((*found)["contradictions"].size(), 1u);
  EXPECT_EQ((*found)["contradictions"][0]["persona"], "ps-0002");
  EXPECT_TRUE(has_text((*found)["contradictions"][0]["why"], "They differ."));
  EXPECT_EQ((*found)["personas"], 2);  // how varied those kept are
  ASSERT_EQ(records_.size(), 4u);
  EXPECT_EQ(records_[1].score, 0);
  EXPECT_EQ(records_[2].outcome, core::Outcome::Failed);

  const auto kept = load_personas(plan_.personas_to);
  ASSERT_TRUE(kept) << kept.error().message;
  ASSERT_EQ(kept->size(), 2u);
  EXPECT_EQ(kept->front().attributes.size(), 33u);
  EXPECT_EQ(*kept->front().find("mannerisms"), "Phrase 1 on mannerisms");
  EXPECT_EQ((*kept)[1].id, "ps-0004");
}

TEST_F(PersonaWritingTest, TheModelSeesTheDrawnAttributesAndNotTheListsOpenOnes) {
  ASSERT_TRUE(run());
  // The first persona of the shipped file, which is drawn from the same seed.
  const auto shipped = load_personas(PERSONASCOPE_DATA "/bench/personas.jsonl").value();
  const std::string age = "- age: " + *shipped.front().find("age");
  const std::string prompt = model_.requests_.front().messages.back().content;
  EXPECT_TRUE(has_text(prompt, age)) << age << " in\n" << prompt;
  EXPECT_TRUE(has_text(prompt, "- religion: "));
  EXPECT_FALSE(has_text(prompt, "- mannerisms: "));
  EXPECT_TRUE(has_text(prompt, "- mannerisms\n"));
  const std::string judged = judge_.requests_.front().messages.back().content;
  EXPECT_TRUE(has_text(judged, age));
  EXPECT_TRUE(has_text(judged, "- mannerisms: Phrase 1 on mannerisms"));
}

TEST_F(PersonaWritingTest, AskingAgainFindsEveryAnswer) {
  ASSERT_TRUE(run());
  const std::string first = files::load_text(plan_.personas_to).value();
  const int asked = asked_;
  ASSERT_TRUE(run());
  EXPECT_EQ(asked_, asked);
  EXPECT_EQ(files::load_text(plan_.personas_to).value(), first);
}

TEST_F(PersonaWritingTest, APlanIsWhatItWasAndIsRefusedOnceTheTablesDiffer) {
  const auto data = load_writing_data(plan_);
  ASSERT_TRUE(data);
  plan_.data_sha256 = data->sha256;
  const auto again = parse_writing_plan(to_json(plan_));
  ASSERT_TRUE(again);
  EXPECT_EQ(to_json(*again), to_json(plan_));
  plan_.seed = 2;
  const auto refused = load_writing_data(plan_);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(has_text(refused.error().message, "start a new run"));
  EXPECT_FALSE(parse_writing_plan(Json{{"evaluation", "main"}}));
}

}  // namespace
}  // namespace personascope::eval::persona_bench
