#include "eval/persona_bench/planning.hpp"

#include <gtest/gtest.h>

#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::persona_bench {
namespace {

class BenchPlanning : public testing::Test {
 protected:
  // With a model, a judge and no reader, unless given otherwise.
  Result<BenchPlan> plan(const char* stage, Json given) {
    for (const auto& [name, value] : {std::pair{"model", "openai/a"},
                                      std::pair{"judge", "openai/b"}, std::pair{"reader", "none"}})
      if (!given.contains(name)) given[name] = value;
    BenchRequest request{.kind = find_kind(stage).value(), .given = given};
    ASSIGN_OR_RETURN(request.options, bench_options().parse(given));
    ASSIGN_OR_RETURN(request.run, run_options().parse(given));
    return make_bench_plan({environment_, folder_.path("home")}, request);
  }
  std::string error_of(const char* stage, const Json& given) {
    const auto made = plan(stage, given);
    return made ? "" : made.error().message;
  }

  files::Environment environment_{{{"PERSONASCOPE_DATA", PERSONASCOPE_DATA}}};
  files::TemporaryFolder folder_;
};

// A model of this machine would read for minutes what hosted models answer in seconds.
TEST_F(BenchPlanning, HostedModelsHaveNoReaderUnlessOneIsGivenAndANoteSaysHow) {
  environment_.set_if_missing("PERSONASCOPE_MODELS", folder_.path(""));
  folder_.write("smollm2-135m.gguf", "weights");
  const auto prepare = [&](const char* stage, Json given) {
    given["judge"] = "openai/b";
    return prepare_bench({environment_, folder_.path("home")}, stage, given).value();
  };
  const auto hosted = prepare("main", {{"model", "openai/a"}});
  EXPECT_EQ(hosted.plan["reader"], "");
  ASSERT_EQ(hosted.notes.size(), 1u);
  EXPECT_NE(hosted.notes[0].find("`reader` embedded/"), std::string::npos) << hosted.notes[0];
  EXPECT_TRUE(prepare("main", {{"model", "openai/a"}, {"reader", "none"}}).notes.empty());
  EXPECT_TRUE(prepare("main", {{"model", "openai/a"}, {"controls", "none"}}).notes.empty());
  const auto embedded = prepare("main", {{"model", "embedded/smollm2-135m"}});
  EXPECT_EQ(embedded.plan["reader"], "embedded/smollm2-135m");
  EXPECT_TRUE(embedded.notes.empty());
}

TEST_F(BenchPlanning, HasDefaultsOfEachEvaluation) {
  const auto main = plan("main", Json::object());
  ASSERT_TRUE(main) << main.error().message;
  EXPECT_EQ(main->modes, std::vector{Mode::OutputOnly});
  EXPECT_EQ(main->critics, std::vector{CriticKind::Single});
  EXPECT_EQ(main->controls, 20);
  EXPECT_EQ(main->canaries, 2);
  EXPECT_EQ(main->temperature, 1);
  EXPECT_EQ(main->reader, "");
  const auto loo = plan("loo", {{"attributes", {"age"}}});
  ASSERT_TRUE(loo) << loo.error().message;
  EXPECT_EQ(loo->n, 30);
  EXPECT_EQ(loo->attributes, std::vector<std::string>{"age"});
  EXPECT_EQ(plan("pass-at-k", Json::object())->n, 50);
}

TEST_F(BenchPlanning, ResolvesNamesAsThePublishedPackageDoes) {
  const auto made = plan("main", {{"model", "gpt-4o-mini"}, {"judge", "gpt-4o"}, {"limit", 3}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->model, "openai/gpt-4o-mini");
  EXPECT_EQ(made->judge, "openai/gpt-4o");
  EXPECT_EQ(made->controls, 3) << "never more than there are pairs";
}

TEST_F(BenchPlanning, ReadsThePublishedPackagesVariables) {
  environment_.set_if_missing("GENERATE_MODE", "baseline");
  environment_.set_if_missing("INSPECT_EVAL_MODEL", "openai/critic");
  const auto made = plan("main", {{"judge", ""}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->modes, std::vector{Mode::Baseline});
  EXPECT_EQ(made->judge, "openai/critic");
  EXPECT_EQ(made->controls, 0) << "a model that is shown nobody has no control";
}

TEST_F(BenchPlanning, OffersAllModesAndCriticsAtOnce) {
  const auto made = plan("main", {{"mode", "all"}, {"critics", {"direct", "all"}}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->modes.size(), 4u);
  EXPECT_EQ(made->critics,
            (std::vector{CriticKind::Direct, CriticKind::Single, CriticKind::Debate}));
}

TEST_F(BenchPlanning, LeavesTheSamplingOfTheReferenceProtocolToTheProvider) {
  const auto made = plan("main", {{"protocol", "reference"}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(made->temperature);
  EXPECT_FALSE(made->limits_answers);
  EXPECT_EQ(made->parser, "openai/gpt-4o");
  EXPECT_EQ(made->canaries, 0);
  EXPECT_EQ(made->controls, 0);
  const auto limited =
      plan("main", {{"protocol", "reference"}, {"max_output_tokens", 9}, {"temperature", 0.5}});
  ASSERT_TRUE(limited) << limited.error().message;
  EXPECT_EQ(limited->temperature, 0.5);
  EXPECT_TRUE(limited->limits_answers);
}

TEST_F(BenchPlanning, NamesTheOptionThatIsWrong) {
  const std::tuple<const char*, Json, const char*> wrong[] = {
      {"main", {{"judge", "none"}}, "`judge`"},
      {"main", {{"controls", "some"}}, "`controls`"},
      {"main", {{"controls", "-1"}}, "`controls`"},
      {"main", {{"mode", "loud"}}, "there is no mode loud"},
      {"loo", {{"mode", "baseline"}}, "baseline shows no attribute"},
      {"main", {{"critics", {"mean"}}}, "there is no critic mean"},
      {"main", {{"parser", "openai/p"}}, "`parser`"},
      {"main", {{"prompts", "p"}}, "`prompts`"},
      {"main", {{"protocol", "reference"}, {"epochs", 1}}, "`epochs`"},
      {"main", {{"protocol", "reference"}, {"canaries", 0}}, "`canaries`"},
      {"main", {{"protocol", "reference"}, {"reader", "vllm/x"}}, "`reader`"},
      {"main", {{"protocol", "reference"}, {"pairs", "random"}}, "`pairs`"},
      {"main", {{"protocol", "reference"}, {"mode", "all"}}, "`mode`"},
      {"intersectionality", Json::object(), "`population`"},
      {"loo", {{"attributes", {"shoe size"}}}, "shoe size"},
      {"main", {{"reader", "openai/a"}}, "`reader`"},
      {"main", {{"limit", 0}}, "`limit`"},
      {"pass-at-k", {{"drafts", 0}}, "`drafts`"}};
  for (const auto& [stage, given, expected] : wrong)
    EXPECT_NE(error_of(stage, given).find(expected), std::string::npos)
        << given << ": " << error_of(stage, given);
}

TEST_F(BenchPlanning, NeverWritesTwoThingsToOneFile) {
  const std::string path = folder_.path("curve.csv");
  EXPECT_NE(error_of("pass-at-k", {{"csv", path}, {"output", path}}).find("`csv`"),
            std::string::npos);
  EXPECT_EQ(plan("pass-at-k", {{"csv", path}})->csv_to, path);
}

TEST_F(BenchPlanning, OfAComparisonNeedsNoJudge) {
  const auto made = plan("comparison", {{"judge", "none"}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->judge, "");
  EXPECT_EQ(made->n, 1000000) << "all of them";
  EXPECT_TRUE(parse_bench_plan(to_json(*made)));
}

TEST_F(BenchPlanning, MakesAPlanThatReadsBackAsItWas) {
  for (const char* stage : {"main", "pass-at-k"}) {
    const auto made = plan(stage, {{"limit", 5}, {"controls", "all"}});
    ASSERT_TRUE(made) << made.error().message;
    const Json stored = to_json(*made);
    const auto read = parse_bench_plan(stored);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), stored);
    EXPECT_EQ(read->controls, 5);
    EXPECT_EQ(read->n, 5);
  }
}

// As version 0.1 stored it.
constexpr const char* kVersion01 = R"({"evaluation": "bench/loo", "protocol": "strict",
    "folder": "/f", "personas": "/p", "questions": "/q", "data_sha256": "1", "model": "openai/a",
    "judge": "openai/b", "critics": ["debate"], "modes": ["chain_of_thought"],
    "pairing": "random", "n": 12, "epochs": 2, "seed": 3, "k": 4, "attributes": ["age"],
    "populations": [], "controls": 6, "canaries": 1, "reader": "", "parser": "", "prompts": "",
    "prompts_sha256": "", "limits_answers": false, "temperature": null, "max_output_tokens": 70,
    "judge_max_output_tokens": 80, "csv_to": "", "engine": {}})";

TEST(BenchPlan, OfVersion01IsRead) {
  const auto plan = parse_bench_plan(parse_json(kVersion01).value());
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->kind, Kind::Loo);
  EXPECT_EQ(plan->critics, std::vector{CriticKind::Debate});
  EXPECT_EQ(plan->modes, std::vector{Mode::ChainOfThought});
  EXPECT_EQ(plan->pairing, Pairing::Random);
  EXPECT_EQ(plan->n, 12);
  EXPECT_EQ(plan->k, 4);
  EXPECT_EQ(plan->controls, 6);
  EXPECT_FALSE(plan->temperature);
  EXPECT_EQ(plan->judge_max_tokens, 80);
}

TEST(BenchPlan, ThatIsDamagedIsRefused) {
  const std::pair<const char*, Json> damages[] = {{"epochs", 0},
                                                  {"epochs", -1},
                                                  {"n", 0},
                                                  {"k", 0},
                                                  {"controls", -1},
                                                  {"controls", "all"},
                                                  {"canaries", -3},
                                                  {"modes", Json::array()},
                                                  {"modes", {"loud"}},
                                                  {"critics", {"x"}},
                                                  {"judge", ""},
                                                  {"attributes", Json::array()},
                                                  {"seed", -1},
                                                  {"pairing", "odd"},
                                                  {"evaluation", "gym"}};
  for (const auto& [member, value] : damages) {
    Json stored = parse_json(kVersion01).value();
    stored[member] = value;
    const auto plan = parse_bench_plan(stored);
    ASSERT_FALSE(plan) << member << " " << value;
    EXPECT_EQ(plan.error().kind, ErrorKind::Invalid);
  }
}

}  // namespace
}  // namespace personascope::eval::persona_bench
