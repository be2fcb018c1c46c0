#include "eval/personalens/planning.hpp"

#include <gtest/gtest.h>

#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::personalens {
namespace {

class LensPlanning : public testing::Test {
 protected:
  // With models, one user and one task of it, unless given otherwise.
  Result<LensPlan> plan(const char* stage, Json given) {
    for (const auto& [name, value] :
         {std::pair<const char*, Json>{"model", "openai/a"}, {"judges", {"openai/b"}}})
      if (!given.contains(name)) given[name] = value;
    if (!given.contains("sample") && !given.contains("start_index") && !given.contains("users"))
      given["users"] = "0-1";
    LensRequest request{.stage = stage, .given = given};
    ASSIGN_OR_RETURN(request.options, lens_options().parse(given));
    ASSIGN_OR_RETURN(request.run, run_options().parse(given));
    return make_lens_plan({environment_, folder_.path("home")}, request);
  }
  std::string error_of(const char* stage, const Json& given) {
    const auto made = plan(stage, given);
    return made ? "" : made.error().message;
  }

  files::Environment environment_{{{"PERSONASCOPE_DATA", PERSONASCOPE_DATA}}};
  files::TemporaryFolder folder_;
};

TEST_F(LensPlanning, HoldsAndJudgesDialoguesOfDrawnUsers) {
  const auto made = plan("run", Json::object());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->users, (std::vector<int>{0, 1}));
  EXPECT_TRUE(made->converse);
  EXPECT_TRUE(made->single);
  EXPECT_FALSE(made->multi);
  EXPECT_EQ(made->user_model, "openai/a") << "the model under test plays the user";
  EXPECT_EQ(made->judge_labels.size(), 1u);
  EXPECT_FALSE(made->dimensions.empty());
  EXPECT_EQ(made->reader, "");
  EXPECT_EQ(made->tree, "") << "nothing is written unless asked";
  EXPECT_EQ(made->contexts, std::vector{Knowledge{}});
}

TEST_F(LensPlanning, JudgesNothingInGenerate) {
  const auto made = plan("generate", Json::object());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->dimensions.empty());
  EXPECT_TRUE(made->tree.ends_with("/output"));
  EXPECT_TRUE(parse_lens_plan(to_json(plan("run", Json::object()).value())));
}

TEST_F(LensPlanning, NamesUsersInAnyWay) {
  EXPECT_EQ(plan("run", {{"sample", 20}})->users.size(), 20u);
  EXPECT_EQ(plan("run", {{"start_index", 3}, {"end_index", 5}})->users,
            (std::vector<int>{3, 4, 5}));
  const auto beyond = plan("run", {{"users", "1498-1501"}});
  ASSERT_TRUE(beyond) << beyond.error().message;
  EXPECT_EQ(beyond->users, (std::vector<int>{1498, 1499}));
  EXPECT_EQ(beyond->absent, 2);
}

TEST_F(LensPlanning, SweepsOverContexts) {
  const auto made = plan("run", {{"context_sweep", "none, d,dp"}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->contexts, (std::vector{Knowledge{}, Knowledge{true, false, false},
                                         Knowledge{true, true, false}}));
  EXPECT_EQ(plan("run", {{"context_sweep", "all"}})->contexts.size(), 8u);
  EXPECT_EQ(plan("run", {{"situation", true}})->contexts,
            (std::vector{Knowledge{false, false, true}}));
}

TEST_F(LensPlanning, SetsBothLimitsOfTurns) {
  const auto made = plan("run", {{"max_turns", 4}, {"both", true}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->single_turns, 4);
  EXPECT_EQ(made->multi_turns, 4);
  EXPECT_TRUE(made->single && made->multi);
}

TEST_F(LensPlanning, RoutesThePublishedShortNames) {
  const auto made = plan("run", {{"model", "claude-3-sonnet-v1"}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->assistant.starts_with("bedrock/")) << made->assistant;
  EXPECT_EQ(made->assistant_label, "claude-3-sonnet-v1");
}

TEST_F(LensPlanning, AsksOnceByTheReferenceProtocol) {
  const auto made = plan("run", {{"protocol", "reference"}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->canaries, 0);
  for (const auto& [name, value] : {std::pair<const char*, Json>{"judge_repeats", 2},
                                    {"both_orders", true},
                                    {"verdicts", "text"},
                                    {"canaries", 1}})
    EXPECT_NE(error_of("run", {{"protocol", "reference"}, {name, value}}).find("`judge_repeats`"),
              std::string::npos)
        << name;
}

TEST_F(LensPlanning, NamesTheOptionThatIsWrong) {
  const std::tuple<const char*, Json, const char*> wrong[] = {
      {"run", {{"users", "0-1"}, {"sample", 20}}, "`sample`"},
      {"run", {{"sample", 25}}, "`sample` must be one of 20, 30, 50, 100"},
      {"run", {{"users", "9999"}}, "no such user"},
      {"run", {{"context_sweep", "d,d"}}, "`context_sweep`"},
      {"run", {{"context_sweep", "d"}, {"situation", true}}, "`context_sweep`"},
      {"run", {{"dimensions", {"beauty"}}}, "beauty"},
      {"run", {{"judges", {"openai/b", "openai/b"}}}, "`judge_repeats`"},
      {"run", {{"reader", "openai/a"}}, "`reader`"},
      {"run", {{"max_turns", 0}}, "`max_turns`"},
      {"run", {{"side", "left"}}, "`side`"},
      {"evaluate", {{"model", ""}}, "`model`"},
      {"run", {{"pack", "unheard-of"}}, "no pack unheard-of"}};
  for (const auto& [stage, given, expected] : wrong)
    EXPECT_NE(error_of(stage, given).find(expected), std::string::npos)
        << given << ": " << error_of(stage, given);
}

TEST_F(LensPlanning, MakesAPlanThatReadsBackAsItWas) {
  const auto made = plan("run", {{"tasks_per_user", 2}, {"dimensions", {"coherence"}}});
  ASSERT_TRUE(made) << made.error().message;
  const Json stored = to_json(*made);
  const auto read = parse_lens_plan(stored);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), stored);
  EXPECT_EQ(read->users, made->users);
}

// As version 0.1 stored it.
constexpr const char* kVersion01 = R"({"evaluation": "lens", "data": "", "words": "/w",
    "own_words": "/o", "sha256": "1", "users_sha256": "", "users": [3, 5], "absent": 1,
    "single": true, "multi": true, "domains": ["Alarm"], "tasks": [], "tasks_per_user": 2,
    "limit": 7, "contexts": ["none", "dp"], "seed": 4, "converse": true, "model": "openai/a",
    "assistant_label": "a", "user_model": "openai/u", "judges": ["openai/b"],
    "judge_labels": ["b"], "dimensions": ["coherence_user"], "reader": "", "readings": 20,
    "canaries": 1, "protocol": "chat", "single_turns": 3, "multi_turns": 4,
    "max_output_tokens": 64, "user_temperature": 0.4, "assistant_temperature": 0.2,
    "verdicts": "auto", "both_orders": false, "judge_repeats": 1,
    "judge_max_output_tokens": 1024, "panel": "mean", "tree": "/t"})";

TEST(LensPlan, OfVersion01IsRead) {
  const auto plan = parse_lens_plan(parse_json(kVersion01).value());
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->users, (std::vector<int>{3, 5}));
  EXPECT_EQ(plan->contexts.size(), 2u);
  EXPECT_EQ(plan->single_turns, 3);
  EXPECT_EQ(plan->multi_turns, 4);
  EXPECT_EQ(plan->assistant_temperature, 0.2);
  EXPECT_EQ(plan->tasks_per_user, 2);
  EXPECT_EQ(plan->assistant, "openai/a");
  EXPECT_EQ(plan->tree, "/t");
  EXPECT_TRUE(plan->keeps_files);
}

TEST(LensPlan, ThatIsDamagedIsRefused) {
  const std::pair<const char*, Json> damages[] = {{"contexts", Json::array()},
                                                  {"contexts", {"xyz"}},
                                                  {"users", Json::array()},
                                                  {"users", {-1}},
                                                  {"users", {"3"}},
                                                  {"users", {99999999999}},
                                                  {"judges", Json::array()},
                                                  {"judge_labels", Json::array()},
                                                  {"dimensions", Json::array()},
                                                  {"judge_repeats", 0},
                                                  {"single_turns", 0},
                                                  {"multi_turns", -1},
                                                  {"tasks_per_user", -1},
                                                  {"limit", -1},
                                                  {"canaries", -1},
                                                  {"verdicts", "loud"},
                                                  {"protocol", 7},
                                                  {"evaluation", "gym"}};
  for (const auto& [member, value] : damages) {
    Json stored = parse_json(kVersion01).value();
    stored[member] = value;
    const auto plan = parse_lens_plan(stored);
    ASSERT_FALSE(plan) << member << " " << value;
    EXPECT_EQ(plan.error().kind, ErrorKind::Invalid);
  }
}

}  // namespace
}  // namespace personascope::eval::personalens
