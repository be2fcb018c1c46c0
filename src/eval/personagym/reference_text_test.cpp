#include "eval/personagym/reference_text.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personagym {
namespace {

using Grades = std::vector<double>;

TEST(ReadGrades, TakesTheNumberAfterTheClosingSentenceOfEachBlock) {
  EXPECT_EQ(read_grades("(1) Evaluation: Good. Therefore, the final score is 4.\n"
                        "(2) Evaluation: Bad. Therefore, the final score is\n 2"),
            (Grades{4, 2}));
}

TEST(ReadGrades, IsAsUncheckedAsThePublishedProgram) {
  // A number off the scale counts, an unread block is 0, the first match wins, and a mark before
  // the number hides it.
  EXPECT_EQ(read_grades("(1) Evaluation: Therefore, the final score is 45"), Grades{45});
  EXPECT_EQ(read_grades("(1) Evaluation: no closing (2) Evaluation: none"), (Grades{0, 0}));
  EXPECT_EQ(read_grades("(1) Evaluation: \"Therefore, the final score is 5\" it says. Therefore, "
                        "the final score is 1"),
            Grades{5});
  EXPECT_EQ(read_grades("(1) Evaluation: Therefore, the final score is **3**"), Grades{0});
  EXPECT_EQ(read_grades("(1) Evaluation: Therefore, the final score is not clear. Therefore, the "
                        "final score is 2"),
            Grades{2});
  EXPECT_EQ(read_grades("Therefore, the final score is 4"), Grades{});
  EXPECT_EQ(read_grades("(1)Evaluation: Therefore, the final score is 4"), Grades{});
  EXPECT_EQ(read_grades(""), Grades{});
}

TEST(ReadGrades, TakesTheBlanksThatPythonTakes) {
  EXPECT_EQ(read_grades("(1) Evaluation: Therefore, the final score is\u00a0\u30003"), Grades{3});
}

TEST(ReadExamples, AreNotChangedByABlankLineBeforeTheNextHeading) {
  const auto examples = read_examples(
      "Rubric 1 Examples:\nScore 1:  Response - \"a\"\n\nRubric 2 Examples:\nScore 1:  Response - "
      "\"b\"\n\n",
      2);
  EXPECT_EQ(examples, (std::vector<std::string>{"Score 1: \"a\"", "Score 1: \"b\""}));
}

TEST(AverageOfRead, LeavesZeroesOut) {
  EXPECT_EQ(average_of_read({4, 0, 5}), 4.5);
  EXPECT_EQ(average_of_read({0, 0}), 0);
  EXPECT_EQ(average_of_read({}), 0);
}

TEST(ScoreOf, IsTheMeanOfTheJudges) {
  // A judge whose reply has no block drags the batch to half, as published.
  EXPECT_EQ(score_of({{{4, 4, 5}, {}}, {}}), (13.0 / 3 + 0) / 2);
}

TEST(ReadExamples, GivesEachRubricItsOwn) {
  const std::string reply =
      "Rubric 1 Examples:\nScore 1:  Response - \"No.\"\n\nScore 2:  Response - Maybe\n"
      "Rubric 2 Examples: \nScore 1: Response -Never\nnot this line\n\nScore 2:  Response - Yes\n";
  EXPECT_EQ(read_examples(reply, 2),
            (std::vector<std::string>{"Score 1: \"No.\"\n\nScore 2: \"Maybe\"",
                                      "Score 1: \"Never\n\nScore 2: \"Yes\""}));
}

TEST(ReadExamples, GivesTheWholeToEachWhereTheHeadingsAreMissing) {
  const std::string whole = "Score 1: \"a\"\n\nScore 2: \"b\"";
  EXPECT_EQ(read_examples("Score 1:  Response - a\n\nScore 2:  Response - b", 3),
            (std::vector<std::string>{whole, whole, whole}));
}

TEST(ReadExamples, AsPublishedGivesEachRubricOneCharacter) {
  EXPECT_EQ(read_examples_as_published("Score 1:  Response - a", 5),
            (std::vector<std::string>{"S", "c", "o", "r", "e"}));
  EXPECT_EQ(read_examples_as_published("nothing", 2), (std::vector<std::string>{"", ""}));
}

}  // namespace
}  // namespace personascope::eval::personagym
