#include "eval/personagym/question_list.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personagym {
namespace {

using Texts = std::vector<std::string>;

TEST(TextList, IsReadFromWhatModelsWrite) {
  for (const char* reply : {R"({"questions": ["one", "two"]})", R"(["one", "two"])",
                            "Sure!\n```json\n[\"one\", \"two\"]\n```\nThere.",
                            "```python\n['one', 'two']\n```", "['one', \"two\",]"})
    EXPECT_EQ(parse_text_list(reply, "questions").value_or(Texts{}), (Texts{"one", "two"}))
        << reply;
  EXPECT_EQ(parse_text_list(R"(['it\'s', "a \"b\""])", "questions").value_or(Texts{}),
            (Texts{"it's", "a \"b\""}));
}

TEST(TextList, RefusesWhatIsNone) {
  for (const char* reply : {"", "I would rather not.", "[1, 2]", R"({"answers": []})", "['open",
                            "[['nested']]", "[os.system('x')]"})
    EXPECT_FALSE(parse_text_list(reply, "questions")) << reply;
}

constexpr const char* kPersona = "A retired con artist in Naples who keeps bees and a ledger.";

TEST(Questions, MustBeAsManyAsWereAskedFor) {
  const Texts two{"What do you tell the buyer at the fair?", "How do you answer the priest?"};
  EXPECT_TRUE(check_questions(two, 2, kPersona));
  for (const int count : {1, 3}) {
    const auto checked = check_questions(two, count, kPersona);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().kind, ErrorKind::Unparsable);
    EXPECT_EQ(checked.error().message,
              fmt::format("2 questions were written instead of {}", count));
  }
}

TEST(Questions, MustBeQuestionsEachOnceInThePersonasLanguage) {
  const std::string good = "What do you tell the buyer at the fair?";
  for (const std::string& bad :
       {std::string(""), std::string("Why?"), good,
        std::string("What do YOU tell the buyer at the fair?"), std::string(3000, 'x') + " a b",
        std::string("Was sagst du dem Käufer auf dem Markt, wenn er nach Honig fragt?"),
        std::string("Что вы скажете покупателю на ярмарке?")})
    EXPECT_FALSE(check_questions({good, bad}, 2, kPersona)) << bad;
}

TEST(Language, IsToldOnlyWhereItIsPlain) {
  EXPECT_FALSE(is_other_language(kPersona, "Wohin gehst du?"));  // too short to tell
  EXPECT_TRUE(is_other_language(kPersona, "あなたは市場で何を売りますか"));
  EXPECT_FALSE(is_other_language("Een gepensioneerde oplichter uit Napels die bijen houdt",
                                 "Wat zeg je tegen de koper op de markt vandaag of morgen?"));
  EXPECT_TRUE(is_other_language(
      "a nurse", "Was sagst du dem Kind, wenn es nach seiner Mutter ruft und niemand kommt?"));
  EXPECT_FALSE(is_other_language(
      "Krankenschwester", "Was sagst du dem Kind, wenn es nach seiner Mutter ruft und weint?"));
  EXPECT_FALSE(is_other_language("", "What do you tell the buyer at the fair?"));
}

}  // namespace
}  // namespace personascope::eval::personagym
