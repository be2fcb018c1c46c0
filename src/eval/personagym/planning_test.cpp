#include "eval/personagym/planning.hpp"

#include <gtest/gtest.h>

#include "files/paths.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::personagym {
namespace {

class GymPlanning : public testing::Test {
 protected:
  Result<GymPlan> plan(const GymRequest& request) {
    return make_gym_plan({environment_, folder_.path("home")}, request);
  }
  std::string error_of(const GymRequest& request) {
    const auto made = plan(request);
    return made ? "" : made.error().message;
  }

  files::Environment environment_{{{"PERSONASCOPE_DATA", PERSONASCOPE_DATA}}};
  files::TemporaryFolder folder_;
};

GymRequest with_persona(std::string_view stage = "run") {
  GymRequest request{.stage = stage};
  request.options.persona_texts = {"  a lighthouse keeper "};
  request.options.model = "openai/a";
  request.options.judges = {"openai/b"};
  request.options.reader = "none";
  return request;
}

TEST_F(GymPlanning, NamesThePersonasOfTheUser) {
  const auto made = plan(with_persona());
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->personas.size(), 1u);
  EXPECT_EQ(made->personas[0].text, "a lighthouse keeper");
  EXPECT_TRUE(made->personas[0].id.starts_with("persona-"));
  EXPECT_TRUE(made->persona_texts.empty()) << "they are in the plan once";
  EXPECT_EQ(made->until, Stage::Grades);
}

TEST_F(GymPlanning, TakesThePacksPersonasIfNoneAreNamed) {
  GymRequest request = with_persona();
  request.options.persona_texts.clear();
  request.options.limit = 3;
  const auto made = plan(request);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->personas.size(), 3u);
}

TEST_F(GymPlanning, ReadsPersonasFromAListAndAFile) {
  GymRequest request = with_persona();
  request.options.persona_list = R"(["a nurse"])";
  request.options.personas_file = folder_.write("mine.yaml", "- {id: s1, persona: a sailor}\n");
  const auto made = plan(request);
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->personas.size(), 3u);
  EXPECT_EQ(made->personas[2].id, "s1");
}

TEST_F(GymPlanning, ReadsPersonasFromAJsonArrayAndFromLinesOfJson) {
  for (const char* text : {R"(["a sailor", {"id": "n", "persona": "a nurse"}])",
                           R"({"personas": ["a sailor", {"id": "n", "persona": "a nurse"}]})",
                           "\"a sailor\"\n{\"id\": \"n\", \"persona\": \"a nurse\"}\n"}) {
    GymRequest request = with_persona();
    request.options.persona_texts.clear();
    request.options.personas_file = folder_.write("mine.json", text);
    const auto made = plan(request);
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_EQ(made->personas.size(), 2u) << text;
    EXPECT_EQ(made->personas[0].text, "a sailor");
    EXPECT_EQ(made->personas[1].id, "n");
  }
}

TEST_F(GymPlanning, NamesAFileOfPersonasThatIsNotText) {
  GymRequest request = with_persona();
  request.options.personas_file = folder_.write("mine.txt", std::string("a\0b\n", 4));
  EXPECT_NE(error_of(request).find("mine.txt, line 1, is not text"), std::string::npos);
  request.options.personas_file = folder_.write("mine.txt", "\x89PNG\n");
  EXPECT_NE(error_of(request).find("mine.txt, line 1, is not in UTF-8"), std::string::npos);
}

TEST_F(GymPlanning, RoutesBareNamesAsThePublishedProgramDoes) {
  GymRequest request = with_persona();
  request.options.model = "gpt-4o";
  request.options.judges = {"claude-3", "Llama-3-70b"};
  const auto made = plan(request);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->model, "openai/gpt-4o");
  EXPECT_EQ(made->judges, (std::vector<std::string>{"anthropic/claude-3", "together/Llama-3-70b"}));
  EXPECT_EQ(made->question_model, "anthropic/claude-3") << "the first judge writes the questions";
  EXPECT_EQ(made->example_model, "anthropic/claude-3");
}

TEST_F(GymPlanning, UsesTheEmbeddedModelWhereThereIsNoKey) {
  GymRequest request = with_persona();
  request.options.model.clear();
  request.options.judges.clear();
  const auto made = plan(request);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->model, "embedded/smollm2-135m");
  EXPECT_EQ(made->judges, std::vector<std::string>{"embedded/smollm2-135m"});
  EXPECT_EQ(made->example_model, "") << "a tiny model writes no examples";
}

TEST_F(GymPlanning, AsksForAModelWhereThereIsAKey) {
  environment_.set_if_missing("OPENAI_API_KEY", "k");
  GymRequest request = with_persona();
  request.options.model.clear();
  EXPECT_NE(error_of(request).find("name a model with `model` or `judges`"), std::string::npos);
}

TEST_F(GymPlanning, LeavesJudgesOutWhereNothingIsGraded) {
  for (const char* stage : {"questions", "answer"}) {
    const auto made = plan(with_persona(stage));
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_TRUE(made->judges.empty());
    EXPECT_EQ(made->question_model, "openai/b");
    EXPECT_EQ(made->example_model, "");
  }
}

TEST_F(GymPlanning, WritesFreshQuestionsIfAskedTo) {
  EXPECT_EQ(plan(with_persona())->ready_made, ReadyMade::Use);
  GymRequest request = with_persona();
  request.options.fresh_questions = true;
  EXPECT_EQ(plan(request)->ready_made, ReadyMade::Ignore);
  request = with_persona("questions");
  request.fresh = true;
  EXPECT_EQ(plan(request)->ready_made, ReadyMade::Ignore);
  request.stage = "run";
  EXPECT_EQ(plan(request)->ready_made, ReadyMade::Use) << "a fresh run may use ready-made ones";
}

TEST_F(GymPlanning, SendsNoCanariesByTheReferenceProtocol) {
  GymRequest request = with_persona();
  request.options.protocol = Protocol::Reference;
  EXPECT_EQ(plan(request)->canaries, 0);
  request.options.as_published = true;
  EXPECT_TRUE(plan(request));
  request.options.protocol = Protocol::Strict;
  EXPECT_NE(error_of(request).find("`as_published`"), std::string::npos);
}

TEST_F(GymPlanning, WritesToFoldersThatHaveNoFilesOfThePersonas) {
  GymRequest request = with_persona();
  request.options.responses = folder_.path("answers");
  request.options.questions = folder_.path("questions");
  request.options.scores = folder_.path("scores.json");
  const auto made = plan(request);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->responses_to, folder_.path("answers"));
  EXPECT_EQ(made->responses_from, "");
  EXPECT_EQ(made->questions_to, folder_.path("questions"));
  EXPECT_EQ(made->scores_to, folder_.path("scores.json"));
}

TEST_F(GymPlanning, NamesTheOptionThatIsWrong) {
  GymRequest request = with_persona("grade");
  EXPECT_NE(error_of(request).find("`responses`"), std::string::npos);

  request = with_persona();
  request.options.persona_texts = {" "};
  EXPECT_EQ(error_of(request), "`persona` is empty");
  request.options.persona_texts = {"a nurse", "a nurse"};
  EXPECT_NE(error_of(request).find("`epochs`"), std::string::npos);
  request.options.persona_texts = {"\xff"};
  EXPECT_NE(error_of(request).find("UTF-8"), std::string::npos);

  request = with_persona();
  request.options.judges = {"openai/b", "openai/b"};
  EXPECT_NE(error_of(request).find("`judge_repeats`"), std::string::npos);

  request = with_persona();
  request.options.reader = "openai/b";
  EXPECT_NE(error_of(request).find("`reader`"), std::string::npos);

  request = with_persona();
  request.options.persona_list = "nonsense";
  EXPECT_NE(error_of(request).find("`persona_list`"), std::string::npos);

  request = with_persona();
  request.options.benchmark = "unheard-of";
  EXPECT_NE(error_of(request).find("no pack unheard-of"), std::string::npos);
}

TEST_F(GymPlanning, NeverWritesOverWhatItReads) {
  GymRequest request = with_persona();
  request.options.personas_file = folder_.write("mine.yaml", "- a sailor\n");
  request.options.scores = request.options.personas_file;
  EXPECT_NE(error_of(request).find("`scores`"), std::string::npos);
  request.options.scores.reset();
  request.run.output = request.options.personas_file;
  EXPECT_NE(error_of(request).find("`output`"), std::string::npos);
}

TEST_F(GymPlanning, PreparesWhatThePlanSays) {
  const Json given = {{"persona", {"a nurse"}}, {"model", "openai/a"}, {"judges", {"openai/b"}},
                      {"reader", "none"},       {"epochs", 2},         {"output", "items.jsonl"},
                      {"max_cost", 5}};
  const auto prepared = prepare_gym({environment_, folder_.path("home")}, "run", given);
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_EQ(prepared->command, "gym");
  EXPECT_EQ(prepared->addressed, std::vector<std::string>{"openai/a"});
  EXPECT_TRUE(prepared->has_judge);
  EXPECT_EQ(prepared->options.output, "items.jsonl");
  EXPECT_EQ(prepared->plan["epochs"], 2);
  EXPECT_FALSE(prepared->plan.contains("output")) << "the engine's plan has it";
  EXPECT_TRUE(load_gym(prepared->plan));

  Json wrong = given;
  wrong["epochs"] = 0;
  EXPECT_NE(prepare_gym({environment_, ""}, "run", wrong).error().message.find("`epochs`"),
            std::string::npos);
}

}  // namespace
}  // namespace personascope::eval::personagym
