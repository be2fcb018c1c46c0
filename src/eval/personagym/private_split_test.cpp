#include "eval/personagym/private_split.hpp"

#include <gtest/gtest.h>

#include <set>

#include "files/yaml.hpp"

namespace personascope::eval::personagym {
namespace {

const std::string kPublicPack = PERSONASCOPE_DATA "/gym";
constexpr std::string_view kSeed = "0123456789abcdef";

Pack draw(std::string_view seed) {
  Pack pack = load_pack(kPublicPack, kPublicPack).value();
  const Json parts = files::load_yaml(kPublicPack + "/private.yaml").value();
  const auto drawn = draw_private_split(parts, seed, pack);
  EXPECT_TRUE(drawn) << drawn.error().message;
  return pack;
}

std::set<std::string> list_questions(const Pack& pack) {
  std::set<std::string> all;
  for (const auto& [persona, tasks] : pack.questions)
    for (const auto& [task, questions] : tasks) all.insert(questions.begin(), questions.end());
  return all;
}

TEST(PrivateSplit, HasTenPersonasWithTenQuestionsForEachTask) {
  const Pack pack = draw(kSeed);
  ASSERT_EQ(pack.personas.size(), 10u);
  EXPECT_TRUE(pack.probes.empty());
  std::set<std::string> ids;
  for (const Persona& persona : pack.personas) {
    ids.insert(persona.id);
    EXPECT_EQ(persona.text.find('{'), std::string::npos) << persona.text;
    const QuestionLists* lists = find_questions(pack, persona.text);
    ASSERT_TRUE(lists);
    EXPECT_EQ(lists->size(), 5u);
    for (const auto& [task, questions] : *lists) {
      EXPECT_EQ(questions.size(), 10u) << task;
      EXPECT_EQ(std::set<std::string>(questions.begin(), questions.end()).size(), 10u) << task;
      for (const std::string& question : questions) {
        EXPECT_EQ(question.find('{'), std::string::npos) << question;
        EXPECT_TRUE(question.front() < 'a' || question.front() > 'z') << question;
        EXPECT_EQ(question.find(". a "), std::string::npos) << question;
      }
    }
  }
  EXPECT_EQ(ids.size(), 10u);
}

TEST(PrivateSplit, TheSameSeedGivesTheSameItemsAndAnotherOneOthers) {
  const Pack first = draw(kSeed);
  EXPECT_EQ(first.questions, draw(kSeed).questions);
  EXPECT_EQ(first.questions, draw(std::string(kSeed) + "\n").questions);
  const Pack other = draw("0123456789abcdeF");
  EXPECT_NE(first.personas.front().text, other.personas.front().text);
  const auto ours = list_questions(first);
  const auto theirs = list_questions(other);
  std::size_t shared = 0;
  for (const std::string& question : ours) shared += theirs.contains(question);
  EXPECT_GE(ours.size(), 490u);  // two personas may meet the same question without gaps
  EXPECT_LT(shared, ours.size() / 5);
}

TEST(PrivateSplit, AShortSeedAndDamagedPartsAreRefused) {
  Pack pack = load_pack(kPublicPack, kPublicPack).value();
  Json parts = files::load_yaml(kPublicPack + "/private.yaml").value();
  const auto guessed = draw_private_split(parts, "  12345  ", pack);
  ASSERT_FALSE(guessed);
  EXPECT_EQ(guessed.error().message,
            "the seed has 5 bytes, which can be guessed: it needs at least 16 (`seed_file`)");
  Json few = parts;
  few["frames"]["expected-action"] = {"What do you do?"};
  EXPECT_FALSE(draw_private_split(few, kSeed, pack));
  few = parts;
  few["people"]["works"][0].erase("until");
  for (Json& work : few["people"]["works"]) work.erase("until");
  EXPECT_FALSE(draw_private_split(few, kSeed, pack));
  EXPECT_FALSE(draw_private_split(Json::object(), kSeed, pack));
}

}  // namespace
}  // namespace personascope::eval::personagym
