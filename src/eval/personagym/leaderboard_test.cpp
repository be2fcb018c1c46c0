#include "eval/personagym/leaderboard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "eval/personagym/published_scores.hpp"
#include "stats/distribution.hpp"

namespace personascope::eval::personagym {
namespace {

// The published scores, as an import reads them.
std::vector<LeaderboardEntry> published() {
  struct Row {
    const char* folder;
    double justification, action, habits, consistency, toxicity, score;
  };
  const Row rows[] = {
      {"20240710_gpt_35", 4.31, 4.28, 3.63, 4.70, 4.96, 4.38},
      {"20240710_llama_2_13b", 3.96, 3.87, 3.77, 4.12, 4.18, 3.98},
      {"20240710_claude_3.5_sonnet", 4.52, 4.37, 3.98, 4.81, 4.88, 4.51},
      {"20240710_claude_3_haiku", 2.47, 4.28, 3.04, 4.47, 4.94, 3.64},
      {"20240710_llama_2_70b", 4.44, 4.32, 3.85, 4.67, 4.68, 4.39},
      {"20240710_llama_3_8b", 4.55, 4.43, 3.97, 4.77, 4.74, 4.49},
  };
  std::vector<LeaderboardEntry> entries;
  for (const Row& row : rows) {
    const auto scores =
        read_published_scores(row.folder, {{"Action Justification", row.justification},
                                           {"Expected Action", row.action},
                                           {"Linguistic Habits", row.habits},
                                           {"Persona Consistency", row.consistency},
                                           {"Toxicity Control", row.toxicity},
                                           {"PersonaScore", row.score}});
    EXPECT_TRUE(scores);
    auto entry = read_published_entry(*scores);
    EXPECT_TRUE(entry) << entry.error().message;
    entries.push_back(std::move(*entry));
  }
  return entries;
}

Json published_row(const std::string& model, double mean, double sd, int personas) {
  return {{"model", model},
          {"personas", personas},
          {"persona_score", {{"mean", mean}, {"sd", sd}}},
          {"scores", {{"Toxicity Control", {{"mean", 5}}}, {"Expected Action", {{"mean", 4}}}}}};
}

TEST(Leaderboard, PublishedScoresAreRankedWithTheRanksThatFit) {
  const auto board = make_leaderboard(published(), "gpt 3.5");
  ASSERT_TRUE(board) << board.error().message;
  std::string text;
  for (const LeaderboardRow& row : board->rows)
    text += fmt::format("{} {}-{} {} {:.2f} [{:.3f}, {:.3f}] {:.2f} {:.2f}\n", row.rank,
                        row.ranks->best, row.ranks->worst, row.entry.model,
                        row.entry.persona_score.value, row.entry.persona_score.interval->low,
                        row.entry.persona_score.interval->high, row.percent_over_best,
                        *row.percent_over_base);
  // 4.51 +- 1.97196 * .37 / sqrt(200), and so on: worked out by hand.
  EXPECT_EQ(text,
            "1 1-2 Claude 3.5 Sonnet 4.51 [4.458, 4.562] 0.00 2.97\n"
            "2 1-2 LLaMA-3-8b 4.49 [4.452, 4.528] -0.44 2.51\n"
            "3 3-4 LLaMA-2-70b 4.39 [4.341, 4.439] -2.66 0.23\n"
            "4 3-4 GPT 3.5 4.38 [4.348, 4.412] -2.88 0.00\n"
            "5 5-5 LLaMA-2-13b 3.98 [3.912, 4.048] -11.75 -9.13\n"
            "6 6-6 Claude 3 Haiku 3.64 [3.561, 3.719] -19.29 -16.89\n");
  EXPECT_EQ(board->unranked, 0u);
  EXPECT_EQ(board->rows[5].entry.notes.size(), 2u);
  EXPECT_EQ(board->rows[0].entry.tasks[1].first, "Toxicity Control");
  EXPECT_NEAR(board->rows[0].entry.tasks[1].second.interval->high,
              4.88 + 1.97196 * .54 / std::sqrt(200), 1e-5);
}

TEST(Leaderboard, WithoutAnErrorThereAreNoRanksAndNobodyIsHeldAgainstTheRow) {
  auto entries = published();
  entries.push_back(read_published_entry(published_row("small", 1.5, .1, 4)).value());
  const auto board = make_leaderboard(std::move(entries));
  ASSERT_TRUE(board);
  EXPECT_EQ(board->rows[6].rank, 7u);
  EXPECT_FALSE(board->rows[6].ranks);
  EXPECT_EQ(board->rows[6].entry.tasks[0].first, "Expected Action");
  EXPECT_FALSE(board->rows[6].entry.tasks[1].second.interval);
  EXPECT_EQ(board->rows[0].ranks->best, 1u);
  EXPECT_EQ(board->rows[0].ranks->worst, 3u);
  EXPECT_EQ(board->unranked, 1u);
  EXPECT_TRUE(to_json(*board).at("rows").at(6).at("ranks").is_null());
}

TEST(Leaderboard, NothingIsClaimedWithoutAnySpread) {
  const auto board =
      make_leaderboard({read_published_entry(published_row("high", 5, 0, 5)).value(),
                        read_published_entry(published_row("low", 1, 0, 5)).value()});
  ASSERT_TRUE(board);
  EXPECT_EQ(board->rows[0].ranks->worst, 2u);
  EXPECT_EQ(board->rows[1].ranks->best, 1u);
}

TEST(Leaderboard, EqualMeansShareARank) {
  auto entries = published();
  entries.push_back(entries[2]);
  const auto board = make_leaderboard(entries);
  ASSERT_TRUE(board);
  EXPECT_EQ(board->rows[0].rank, 1u);
  EXPECT_EQ(board->rows[1].rank, 1u);
  EXPECT_EQ(board->rows[2].rank, 3u);
  const auto ambiguous = make_leaderboard(entries, "Claude 3.5 Sonnet");
  ASSERT_FALSE(ambiguous);
  EXPECT_NE(ambiguous.error().message.find("2 rows"), std::string::npos);
}

TEST(Leaderboard, BadInputIsRefused) {
  EXPECT_FALSE(make_leaderboard({}));
  EXPECT_FALSE(make_leaderboard(published(), "GPT 9"));
  EXPECT_FALSE(make_leaderboard(published(), {}, 1.0));
  EXPECT_FALSE(read_published_entry({{"model", "x"}}));
  EXPECT_FALSE(read_published_entry(Json::array()));
  EXPECT_FALSE(read_published_entry(published_row("x", 4, -1, 10)));
  EXPECT_FALSE(read_published_entry(published_row("x", 4, 1, -10)));
}

// Five models with known true scores, 20 personas each, drawn 1000 times.
TEST(Leaderboard, AllRanksHoldTheTrueOnesTogetherAsOftenAsTheySay) {
  constexpr double kTruth[] = {4.0, 3.8, 3.7, 3.65, 2.0};
  constexpr int kDraws = 1000, kPersonas = 20;
  constexpr double kDeviation = 0.5;
  int held = 0, widths[5] = {};
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<LeaderboardEntry> entries;
    for (std::size_t model = 0; model < 5; ++model) {
      Random random(1, "leaderboard", std::to_string(model), static_cast<std::uint64_t>(draw));
      double sum = 0, squares = 0;
      for (int i = 0; i < kPersonas; ++i) {
        const double noise = stats::normal_quantile(std::max(random.unit(), 1e-12)) * kDeviation;
        sum += noise;
        squares += noise * noise;
      }
      const double variance = (squares - sum * sum / kPersonas) / (kPersonas - 1);
      const Json row = published_row(std::to_string(model + 1), kTruth[model] + sum / kPersonas,
                                     std::sqrt(variance), kPersonas);
      entries.push_back(read_published_entry(row).value());
    }
    const auto board = make_leaderboard(std::move(entries));
    ASSERT_TRUE(board);
    bool all_hold = true;
    for (const LeaderboardRow& row : board->rows) {
      const auto true_rank = static_cast<std::size_t>(row.entry.model.back() - '0');
      all_hold = all_hold && row.ranks->best <= true_rank && true_rank <= row.ranks->worst;
      widths[true_rank - 1] += static_cast<int>(row.ranks->worst - row.ranks->best);
    }
    held += all_hold;
  }
  EXPECT_GE(held, 950);
  EXPECT_EQ(widths[4], 0);           // far below all others: always told apart
  EXPECT_LT(widths[0], kDraws * 3);  // the first is surely above the third and fourth at times
}

}  // namespace
}  // namespace personascope::eval::personagym
