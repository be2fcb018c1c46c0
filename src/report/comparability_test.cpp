#include "report/comparability.hpp"

#include <gtest/gtest.h>

namespace personascope::report {
namespace {

RunItems make_run(std::int64_t id, const std::string& model, Json plan) {
  RunItems run{fmt::format("run {}", id), {}, {}};
  run.run.emplace();
  run.run->id = id;
  run.run->model = model;
  run.run->plan = std::move(plan);
  for (const char* name : {"a", "b"}) {
    core::ItemRecord item;
    item.id = name;
    item.document = {{"question", name}, {"persona", "a cook"}};
    run.items.push_back(std::move(item));
  }
  return run;
}

TEST(Comparability, RunsAreNamedByModelAndByWhatDiffers) {
  const Json plan = {{"temperature", 0.9}, {"judges", {"j"}}};
  const Json other = {{"temperature", 0.1}, {"judges", {"j"}}};
  EXPECT_EQ(check_comparability(std::vector{make_run(1, "m", plan), make_run(2, "n", plan)}).names,
            (std::vector<std::string>{"m", "n"}));
  EXPECT_EQ(check_comparability(std::vector{make_run(1, "m", plan), make_run(2, "m", other)}).names,
            (std::vector<std::string>{"m, temperature 0.9", "m, temperature 0.1"}));
  EXPECT_EQ(check_comparability(std::vector{make_run(1, "m", plan), make_run(2, "m", plan)}).names,
            (std::vector<std::string>{"m (run 1)", "m (run 2)"}));
}

TEST(Comparability, DifferentJudgesDataAndDeploymentsAreListed) {
  const std::string hash(64, 'a');
  const auto found = check_comparability(
      std::vector{make_run(1, "m", {{"judges", {"j", "k"}}, {"pack_sha256", hash}}),
                  make_run(2, "m", {{"judges", {"j"}}, {"deployment", "b2"}})});
  ASSERT_EQ(found.settings.size(), 3u);
  EXPECT_EQ(found.settings[0].setting, "judges");
  EXPECT_EQ(found.settings[0].values[0], "j, k");
  EXPECT_EQ(found.settings[1].setting, "data");
  EXPECT_EQ(found.settings[1].values[0], std::string(12, 'a'));
  EXPECT_EQ(found.settings[2].values, (std::vector<std::optional<std::string>>{"-", "b2"}));
  EXPECT_EQ(found.changed_items, 0u);
}

TEST(Comparability, AFileLacksSettingsAndThatSaysNothing) {
  RunItems file = make_run(1, "", Json::object());
  file.run.reset();
  file.source = "folder/baseline.jsonl";
  file.items[0].judges = {{"j", 4}};
  const auto same =
      check_comparability(std::vector{file, make_run(2, "m", {{"judges", {"j"}}, {"seed", 1}})});
  EXPECT_TRUE(same.settings.empty());
  EXPECT_EQ(same.names[0], "baseline");
  const auto other = check_comparability(std::vector{file, make_run(2, "m", {{"judges", {"k"}}})});
  ASSERT_EQ(other.settings.size(), 1u);
}

TEST(Comparability, OtherQuestionsUnderTheSameIdAreCounted) {
  RunItems second = make_run(2, "n", Json::object());
  second.items[1].document["question"] = "c";
  const auto found = check_comparability(std::vector{make_run(1, "m", Json::object()), second});
  EXPECT_EQ(found.changed_items, 1u);
  EXPECT_EQ(found.examples, std::vector<std::string>{"b"});
  second.items[1].document.erase("question");
  EXPECT_EQ(check_comparability(std::vector{make_run(1, "m", {}), second}).changed_items, 0u);
}

}  // namespace
}  // namespace personascope::report
