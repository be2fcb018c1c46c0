#include "app/study.hpp"

#include <gtest/gtest.h>

#include <set>

namespace personascope::app {
namespace {

constexpr const char* kStudy = R"(name: s
models: [openai/a, {model: openai/b, deployment: d2}]
judges: [openai/j, [openai/j, openai/k]]
settings: [{temperature: 0}, {temperature: 1}]
evaluations:
  gym run: {limit: 3, gates: {fail_under: 3.5, unscored: drop}}
max_cost: 2.5
tags: nightly
)";

TEST(Study, EveryCombinationIsARun) {
  const auto study = parse_study(kStudy, "s.yaml");
  ASSERT_TRUE(study) << study.error().message;
  EXPECT_EQ(study->head.max_cost_usd, 2.5);
  EXPECT_EQ(study->head.tags, std::vector<std::string>{"nightly"});
  ASSERT_EQ(study->cells.size(), 8u);
  std::set<std::string> keys;
  for (const StudyCell& cell : study->cells) keys.insert(cell.key);
  EXPECT_EQ(keys.size(), 8u);
  const StudyCell& last = study->cells.back();
  EXPECT_EQ(last.command, "gym run");
  EXPECT_EQ(last.name,
            "gym run, openai/b, deployment d2, temperature 1, judged by openai/j, openai/k");
  EXPECT_EQ(last.given, Json({{"model", "openai/b"},
                              {"deployment", "d2"},
                              {"temperature", 1},
                              {"limit", 3},
                              {"judges", {"openai/j", "openai/k"}}}));
  EXPECT_EQ(last.gates.fail_under, 3.5);
  EXPECT_EQ(last.gates.unscored, report::Unscored::Drop);
  EXPECT_EQ(cell_tag_of(*study, last), "s#" + last.key);
}

TEST(Study, KeysDependOnWhatIsRunAndNotOnLimitsAndTags) {
  const auto first = parse_study(kStudy, "s.yaml");
  std::string text = kStudy;
  text.replace(text.find("2.5"), 3, "9.9");
  text.replace(text.find("nightly"), 7, "weekly ");
  const auto second = parse_study(text, "s.yaml");
  ASSERT_TRUE(second);
  EXPECT_EQ(first->cells[3].key, second->cells[3].key);
}

TEST(Study, ASettingThatAnEvaluationLacksMakesNoSecondRunOfIt) {
  const auto study = parse_study(
      "name: s\nmodels: [m]\nsettings: [{questions_per_task: 1}, {questions_per_task: 2}]\n"
      "evaluations: {gym run: , bench main: {limit: 2}}\n",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message;
  EXPECT_EQ(study->cells.size(), 3u) << "two of the gym, one of the bench";
}

TEST(Study, ErrorsNameTheLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"- 1\n", "must hold a study"},
      {"name: s\nmodels: [m]\n", "\"evaluations\" must name what to run"},
      {"name: s\nevaluations: {gym run: }\n", "\"models\" must be a list"},
      {"name: s\nmodels: [m]\nmodel: x\nevaluations: {gym run: }\n",
       "s.yaml, line 3: \"model\" is not a part of a study; did you mean \"models\"?"},
      {"name: s\nmodels: [m]\nevaluations:\n  gym runn: {}\n",
       "s.yaml, line 4: there is no evaluation \"gym runn\"; did you mean \"gym run\"?"},
      {"name: s\nmodels: [m]\nevaluations:\n  gym run:\n    limit: many\n",
       "s.yaml, line 5: \"limit\" must be"},
      {"name: s\nmodels: [m]\nevaluations:\n  gym run:\n    limitt: 3\n",
       "s.yaml, line 5: \"limitt\" is not an option of gym run; did you mean \"limit\"?"},
      {"name: s\nmodels:\n  - m\n  - model: n\n    temperatur: 1\nevaluations: {gym run: }\n",
       "s.yaml, line 5: \"temperatur\" is not an option of any evaluation of the study; did you"},
      {"name: s\nmodels:\n  - m\n  - {base_url: x}\nevaluations: {gym run: }\n",
       "s.yaml, line 4: a model is a name"},
      {"name: s\nmodels: [m]\nsettings:\n  - {}\n  - 3\nevaluations: {gym run: }\n",
       "s.yaml, line 5: a setting must hold options"},
      {"name: s\nmodels: [m]\njudges:\n  - [a, b]\nevaluations: {bench main: }\n",
       "s.yaml, line 4: bench main takes one judge"},
      {"name: s\nmodels: [m]\nevaluations:\n  gym run:\n    gates:\n      fail_undr: 3\n",
       "s.yaml, line 6: there is no gate \"fail_undr\"; did you mean \"fail_under\"?"},
      {"name: s\nmodels: [m]\nevaluations:\n  gym run:\n    gates: {fail_under: 9}\n",
       "s.yaml, line 5: "},
      {"name: 'a#b'\nmodels: [m]\nevaluations: {gym run: }\n",
       "s.yaml, line 1: \"name\" must have"},
      {"name: s\nmax_cost: -1\nmodels: [m]\nevaluations: {gym run: }\n", "s.yaml, line 2: "},
      {"name: s\nmodels: [m\n", "line"},
  };
  for (const auto& [text, message] : cases) {
    const auto study = parse_study(text, "s.yaml");
    ASSERT_FALSE(study) << text;
    EXPECT_NE(study.error().message.find(message), std::string::npos) << study.error().message;
  }
  EXPECT_EQ(load_study("/nonexistent/s.yaml").error().kind, ErrorKind::NotFound);
}

TEST(Study, TheExampleIsAStudyThatTheSchemaKnows) {
  const auto study = parse_study(std::string(example_study()), "study.yaml");
  ASSERT_TRUE(study) << study.error().message;
  EXPECT_EQ(study->cells.size(), 4u);
  const Json schema = make_study_schema();
  const Json& gym = schema.at("properties").at("evaluations").at("properties").at("gym run");
  for (const auto& [name, value] : study->cells.back().given.items())
    EXPECT_TRUE(gym.at("anyOf").at(1).at("properties").contains(name)) << name;
  EXPECT_EQ(schema.at("properties").at("max_cost").at("type"), "number");
}

TEST(Study, SeveralModelsOfACommandAreAStudy) {
  const Study study =
      make_study_of_models(command_named("gym run"), {{"limit", 2}}, {"a", "b"}, {});
  ASSERT_EQ(study.cells.size(), 2u);
  EXPECT_EQ(study.cells[1].given, Json({{"limit", 2}, {"model", "b"}}));
  EXPECT_EQ(cell_tag_of(study, study.cells[1]), "");
}

}  // namespace
}  // namespace personascope::app
