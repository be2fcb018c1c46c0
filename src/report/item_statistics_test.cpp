#include "report/item_statistics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace personascope::report {
namespace {

// `score` of model and item; 3 personas with 4 items each, the fourth a second draw of the third.
template <class Score>
std::vector<BoardRun> make_item_runs(std::size_t models, Score score) {
  std::vector<BoardRun> runs;
  for (std::size_t m = 0; m < models; ++m) {
    BoardRun run;
    run.run = static_cast<std::int64_t>(m) + 1;
    run.evaluation = "gym";
    run.model = fmt::format("m{}", m);
    run.scale = stats::Scale{1, 5};
    run.asked = "same";
    for (std::size_t i = 0; i < 12; ++i) {
      const std::string persona = fmt::format("p{}", i / 4);
      const std::string id =
          i % 4 == 3 ? fmt::format("{}/2#2", persona) : fmt::format("{}/{}", persona, i % 4);
      const std::optional<double> value = score(m, i);
      run.items.push_back(
          {id, persona, "task", value ? core::Outcome::Scored : core::Outcome::Refused, value});
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

const ItemStatistics& find_item(const ItemReport& report, const std::string& id) {
  return *std::ranges::find(report.items, id, &ItemStatistics::id);
}

TEST(ItemStatistics, ItemsThatTellNothingComeFirst) {
  const auto report = make_item_report(make_item_runs(6, [](std::size_t m, std::size_t i) {
    if (i == 0) return std::optional(3.0);                               // the same for all
    if (i == 1) return std::optional(5 - 0.5 * static_cast<double>(m));  // the wrong way round
    if (i == 2 && m < 2) return std::optional<double>();                 // a third unscored
    return std::optional(1 + 0.5 * static_cast<double>(m) + 0.1 * static_cast<double>((m * i) % 3));
  }));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->flagged, 3u);
  const ItemStatistics& same = find_item(*report, "p0/0");
  EXPECT_EQ(same.flags, std::vector{ItemFlag::SameForAll});
  EXPECT_EQ(same.spread, 0);
  EXPECT_EQ(same.mean, 3);
  EXPECT_FALSE(same.item_rest);
  const ItemStatistics& against = find_item(*report, "p0/1");
  EXPECT_EQ(against.flags, std::vector{ItemFlag::AgainstTheRest});
  EXPECT_LT(*against.item_rest, -0.9);
  EXPECT_EQ(find_item(*report, "p0/2").flags, std::vector{ItemFlag::OftenUnscored});
  EXPECT_EQ(find_item(*report, "p0/2").models, 4u);
  EXPECT_GT(*find_item(*report, "p2/1").item_rest, 0.9);
  EXPECT_FALSE(report->items.front().flags.empty());
  ASSERT_TRUE(report->reliability);
  EXPECT_GT(report->reliability->now.coefficient, 0.5);
  EXPECT_TRUE(report->reliability->components.draw) << "#2 is a second draw of the same question";
  EXPECT_EQ(report->reliability->twice.size(), 3u) << "personas, questions and draws";
  EXPECT_EQ(to_json(*report).at("items").at(0).at("flags").size(), 1u);
}

TEST(ItemStatistics, RunsWithAnotherJudgeAreASecondJudge) {
  auto runs = make_item_runs(3, [](std::size_t m, std::size_t i) {
    return std::optional(1 + static_cast<double>(m) + 0.1 * static_cast<double>((m * i) % 3));
  });
  for (BoardRun& run : runs) run.settings.test = Settings{{"judges", "j"}};
  auto others = runs;
  for (BoardRun& run : others) {
    run.settings.test = Settings{{"judges", "k"}};
    run.items[5].score = *run.items[5].score + 1.5;
  }
  runs.insert(runs.end(), others.begin(), others.end());
  const auto report = make_item_report(runs);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->models.size(), 3u);
  EXPECT_EQ(report->judges, (std::vector<std::string>{"j", "k"}));
  EXPECT_EQ(find_item(*report, "p1/1").judge_gap, 1.5);
  EXPECT_EQ(find_item(*report, "p1/1").flags, std::vector{ItemFlag::JudgesDisagree});
  EXPECT_EQ(find_item(*report, "p1/0").judge_gap, 0);
  ASSERT_TRUE(report->reliability);
  EXPECT_TRUE(report->reliability->components.model_by_judge);
}

TEST(ItemStatistics, APanelGivesTheJudges) {
  auto runs = make_item_runs(1, [](std::size_t, std::size_t) { return std::optional(3.0); });
  for (BoardItem& item : runs[0].items) item.judges = {{"a", 2.0}, {"b", 4.0}};
  const auto report = make_item_report(runs);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->items[0].judge_gap, 2);
  ASSERT_FALSE(report->reliability) << "one model";
  EXPECT_TRUE(to_json(*report).at("reliability").contains("undefined"));
}

TEST(ItemStatistics, OtherItemsAreRefused) {
  auto runs = make_item_runs(2, [](std::size_t, std::size_t) { return std::optional(3.0); });
  runs[1].asked = "other";
  EXPECT_FALSE(make_item_report(runs));
  runs[1].evaluation = "bench";
  EXPECT_FALSE(make_item_report(runs));
  EXPECT_FALSE(make_item_report({}));
}

TEST(ItemStatistics, AFileHasARowForEveryItem) {
  const auto report = make_item_report(make_item_runs(
      2, [](std::size_t m, std::size_t) { return std::optional(static_cast<double>(m) + 1); }));
  std::string text;
  ASSERT_TRUE(
      write_item_statistics(*report, RowFormat::Csv, [&](std::string_view part) -> Result<void> {
        text += part;
        return {};
      }));
  EXPECT_EQ(std::ranges::count(text, '\n'), 13);
  EXPECT_TRUE(text.starts_with("id,cluster,label,models,mean"));
}

}  // namespace
}  // namespace personascope::report
