#include "report/board.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/random.hpp"

namespace personascope::report {
namespace {

core::ItemRecord make_board_item(const std::string& id, const std::string& persona,
                                 std::optional<double> score,
                                 const std::string& question = "Why?") {
  core::ItemRecord item;
  item.id = id;
  item.cluster = persona;
  item.label = id.ends_with('0') ? "easy" : "hard";
  item.outcome = score ? core::Outcome::Scored : core::Outcome::Refused;
  item.score = score;
  item.document = {{"question", question}, {"persona", persona}};
  return item;
}

// Two items a persona; an item's score is `score` of its number.
template <class Score>
RunItems make_scored_run(std::int64_t id, const std::string& model, Json plan, int personas,
                         Score score) {
  store::RunRecord record;
  record.id = id;
  record.command = "gym";
  record.model = model;
  record.state = store::RunState::Done;
  record.plan = std::move(plan);
  RunItems run{fmt::format("run {}", id), record, {}};
  for (int i = 0; i < 2 * personas; ++i)
    run.items.push_back(
        make_board_item(fmt::format("p{}/{}", i / 2, i % 2), fmt::format("p{}", i / 2), score(i)));
  return run;
}

BoardRun with_scale(const RunItems& run) {
  const auto made = make_board_run(run, {}, stats::Scale{1, 5});
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

BoardRun make_level(std::int64_t id, const std::string& model, double level,
                    Json plan = Json::object(), int personas = 10) {
  return with_scale(make_scored_run(id, model, std::move(plan), personas, [&](int i) {
    return std::optional(level + (i % 3 == 0 ? 0.5 : 0.0));
  }));
}

TEST(Board, RanksAreThoseThatTheDataAllows) {
  const auto boards = make_boards(
      {make_level(1, "low", 1.5), make_level(2, "high", 4), make_level(3, "twin", 4)}, {});
  ASSERT_TRUE(boards);
  ASSERT_EQ(boards->size(), 1u);
  const Board& board = boards->front();
  EXPECT_EQ(board.items, 20u);
  EXPECT_EQ(board.clusters, 10u);
  ASSERT_EQ(board.rows.size(), 3u);
  EXPECT_EQ(board.rows[0].rank, 1u);
  EXPECT_EQ(board.rows[1].rank, 1u) << "equal means share a rank";
  EXPECT_EQ(board.rows[0].ranks.best, 1u);
  EXPECT_EQ(board.rows[0].ranks.worst, 2u);
  EXPECT_EQ(board.rows[2].model, "low");
  EXPECT_EQ(board.rows[2].ranks.best, 3u);
  EXPECT_EQ(std::ranges::count(board.pairs, true, &BoardPair::is_claimed), 2);
  EXPECT_NEAR(board.rows[0].by_label.at("easy"), 4.2, 1e-9);
  EXPECT_EQ(to_json(board).at("rows").at(2).at("ranks"), Json({3, 3}));
}

TEST(Board, FivePersonasWithoutSpreadSupportNoClaim) {
  const auto boards = make_boards({make_level(1, "a", 1, {}, 5), make_level(2, "b", 4, {}, 5)}, {});
  ASSERT_TRUE(boards);
  EXPECT_EQ(boards->front().rows[0].ranks.worst, 2u);
  EXPECT_EQ(boards->front().notes.front().note, BoardNote::TooFew);
  EXPECT_EQ(boards->front().notes.front().number, 5);
  const auto six = make_boards({make_level(1, "a", 1, {}, 6), make_level(2, "b", 4, {}, 6)}, {});
  EXPECT_EQ(six->front().rows[0].ranks.worst, 1u);
}

TEST(Board, RunsOfTheSameModelAndSettingsArePooledByItem) {
  const Json warm{{"temperature", 0.9}, {"seed", 1}};
  Json again = warm;
  again["seed"] = 2;
  const auto boards = make_boards({make_level(1, "m", 2, warm), make_level(4, "m", 4, again),
                                   make_level(5, "m", 4, {{"temperature", 0.1}})},
                                  {});
  ASSERT_TRUE(boards);
  ASSERT_EQ(boards->size(), 1u);
  const auto& rows = boards->front().rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "m, temperature 0.1");
  EXPECT_EQ(rows[1].name, "m, temperature 0.9");
  EXPECT_EQ(rows[1].runs, (std::vector<std::int64_t>{1, 4}));
  EXPECT_NEAR(rows[1].mean->value, 3.175, 1e-9) << "7 of 20 items are half a point higher";
  EXPECT_EQ(rows[1].outcomes[core::Outcome::Scored], 40);
}

TEST(Board, WhatWasAskedOrScoredOtherwiseStandsApart) {
  RunItems other =
      make_scored_run(3, "m", {{"judges", {"j"}}}, 10, [](int) { return std::optional(3.0); });
  other.items[4].document["question"] = "How?";
  const auto boards = make_boards(
      {make_level(1, "m", 2, {{"judges", {"j"}}}), make_level(2, "n", 2, {{"judges", {"j"}}}),
       make_level(4, "m", 2, {{"judges", {"k"}}}), with_scale(other)},
      {});
  ASSERT_TRUE(boards);
  ASSERT_EQ(boards->size(), 3u);
  EXPECT_EQ(boards->front().rows.size(), 2u) << "the board with more rows comes first";
  EXPECT_EQ(boards->front().apart, (Settings{{"items", "20"}, {"judges", "j"}}));
  EXPECT_EQ(boards->back().notes.front().note, BoardNote::OneRow);
}

TEST(Board, ASwitchThatIsOffIsTheSameAsNone) {
  const auto boards = make_boards(
      {make_level(1, "m", 2, {{"no_persona_system", false}}), make_level(2, "m", 2)}, {});
  EXPECT_EQ(boards->front().rows.size(), 1u);
}

TEST(Board, RefusedItemsCountAsTheWorstUnlessDropped) {
  const auto refuses = [](int i) { return i % 2 == 0 ? std::optional(5.0) : std::nullopt; };
  const RunItems run = make_scored_run(1, "m", {}, 10, refuses);
  auto boards = make_boards({with_scale(run)}, {});
  EXPECT_EQ(boards->front().rows[0].mean->value, 3);
  EXPECT_EQ(boards->front().rows[0].filled, 10u);
  EXPECT_EQ(boards->front().notes.back().note, BoardNote::Filled);
  boards = make_boards({with_scale(run)}, {.unscored = Unscored::Drop});
  EXPECT_EQ(boards->front().rows[0].mean->value, 5);
  boards = make_boards({make_board_run(run, {}, std::nullopt).value()}, {});
  EXPECT_EQ(boards->front().unscored, Unscored::Drop);
  EXPECT_EQ(boards->front().notes.back().note, BoardNote::ScaleUnknown);
}

TEST(Board, ARunWithoutAModelOrTheScoreIsRefused) {
  RunItems run = make_scored_run(1, "", {}, 3, [](int) { return std::optional(1.0); });
  EXPECT_FALSE(make_board_run(run, {}, {}));
  run.run->model = "m";
  EXPECT_FALSE(make_board_run(run, "empathy", {}));
  EXPECT_FALSE(make_boards({with_scale(run)}, {.confidence = 1}));
}

// Boards of equal models on which some claim is made; each persona has its own level, and each
// model its own noise.
int count_false_boards(int models, int boards, int personas) {
  int wrong = 0;
  for (int board = 0; board < boards; ++board) {
    std::vector<BoardRun> runs;
    for (int model = 0; model < models; ++model) {
      Random random(7, "board", std::to_string(model), static_cast<std::uint64_t>(board));
      double own = 0;  // what this model makes of this persona
      runs.push_back(with_scale(make_scored_run(
          model + 1, fmt::format("m{}", model), {}, personas, [&](int i) -> std::optional<double> {
            if (i % 2 == 0) own = random.unit();
            Random persona(8, "persona", std::to_string(i / 2), static_cast<std::uint64_t>(board));
            return 1 + 2 * persona.unit() + own + random.unit();
          })));
    }
    const auto made = make_boards(runs, {.seed = static_cast<std::uint64_t>(board), .flips = 499});
    wrong += std::ranges::any_of(made->front().pairs, &BoardPair::is_claimed);
  }
  return wrong;
}

TEST(Board, EqualModelsGetAFalseClaimOnFewBoards) {
  // At 5 % more than 31 of 400 boards, 18 of 200, 11 of 100 or 5 of 20 come by chance once in 100
  // times or less; unadjusted claims of 28 pairs would be wrong on about every second board.
  const bool is_long = std::getenv("PERSONASCOPE_LONG");
  EXPECT_LE(count_false_boards(8, is_long ? 400 : 100, 25), is_long ? 31 : 11);
  EXPECT_LE(count_false_boards(20, is_long ? 200 : 20, 25), is_long ? 18 : 5);
}

}  // namespace
}  // namespace personascope::report
