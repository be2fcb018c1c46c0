#include "eval/personalens/score_book.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace personascope::eval::personalens {
namespace {

const Dimension* dimension_of(const char* key) {
  return choose_dimensions(key, std::nullopt).value().front();
}

BookEntry make_entry(int user, std::size_t task, double score) {
  BookEntry entry;
  entry.user = user;
  entry.task = task;
  entry.task_id = fmt::format("SD-Zoo-task-{}", task);
  DimensionVerdict judge;
  judge.verdict = core::make_score(score, "");
  judge.file = fmt::format("Personalization Score: {}", std::lround(score));
  entry.scores.push_back({dimension_of("personalization"), judge.verdict, {judge}});
  return entry;
}

TEST(ScoreBook, TheOrderOfTheDialoguesDoesNotShow) {
  const LensPlan plan;
  const std::vector dimensions{dimension_of("personalization")};
  std::vector<BookEntry> entries;
  for (int user = 0; user < 11; ++user)
    for (std::size_t task = 0; task < 11; ++task)
      entries.push_back(make_entry(user, task, 1 + 3 / static_cast<double>(entries.size() + 1)));
  const auto summarize = [&] {
    ScoreBook book(plan, dimensions);
    for (const BookEntry& entry : entries) book.take(entry);
    return render_json(book.summarize());
  };
  const std::string forward = summarize();
  std::ranges::reverse(entries);
  EXPECT_EQ(summarize(), forward);
  std::ranges::rotate(entries, entries.begin() + 17);
  EXPECT_EQ(summarize(), forward);
}

TEST(ScoreBook, ATurnIsScoredByAllJudgesTogether) {
  const LensPlan plan;
  const std::vector dimensions{dimension_of("turn_personalization")};
  DimensionVerdict first, second;
  first.turns = {core::make_score(1, ""), core::make_score(4, "")};
  second.turns = {core::make_score(2, ""), core::make_abstention("")};
  BookEntry entry;
  entry.task_id = "SD-Zoo-task-1";
  entry.scores.push_back({dimensions[0], core::make_score(2, ""), {first, second}});
  ScoreBook book(plan, dimensions);
  book.take(entry);
  const Json turns = book.summarize()["dimensions"]["turn_personalization"]["by_turn"];
  EXPECT_EQ(turns[0]["mean"], 1.5);
  EXPECT_EQ(turns[1]["mean"], 4.0) << "who cannot tell has no vote";
}

TEST(ScoreBook, AJudgeWhoseFailuresTheOthersHideIsNamed) {
  LensPlan plan;
  plan.judges = {"good/judge", "bad/judge"};
  const std::vector dimensions{dimension_of("personalization")};
  ScoreBook book(plan, dimensions);
  for (const char* reason : {"timed out", "no such model"}) {
    BookEntry entry = make_entry(1, 1, 3);
    DimensionVerdict failed;
    failed.verdict = core::make_failure({ErrorKind::Transient, reason});
    entry.scores.front().by_judge.push_back(failed);
    book.take(entry);
  }
  EXPECT_EQ(book.list_failures(),
            std::vector<std::string>{
                "The judge bad/judge failed 2 of 2 times, for example: no such model"});
}

}  // namespace
}  // namespace personascope::eval::personalens
