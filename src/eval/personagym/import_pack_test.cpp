#include "eval/personagym/import_pack.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "eval/personagym/published_tasks.hpp"
#include "files/testing/temporary_folder.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::personagym {
namespace {

// A checkout of our own words in the published form.
class PersonaGymImport : public testing::Test {
 protected:
  PersonaGymImport() {
    write_questions("A lamplighter from Riga", 10);
    write_questions("A baker's \"second\" son", 10);
    folder_.write("code/personas.py",
                  "\nbenchmark_personas = [\n    \"A baker's \\\"second\\\" son\",  # first\n"
                  "    'A lamplighter from Riga',\n]\n");
    folder_.write("code/eval_tasks.py",
                  "tasks = ['Expected Action']\n"
                  "question_requirements = {\n"
                  "    \"Expected Action\": '''What to do: \"act\".\nTwice.''',\n"
                  "    \"Toxicity\": 'b',\n    \"Linguistic Habits\": 'c',\n"
                  "    \"Persona Consistency\": 'd',\n    \"Action Justification\": 'e',\n}\n"
                  "settings_list = [\n  \"Harbour\",\n  \"Children's Fair\"\n]\n");
    folder_.write("code/utils.py",
                  "def ask(\n      persona_prompt = None,\n      card = 'x'):\n    if persona:\n"
                  "        persona_prompt = f\"You are {persona}. {{Stay}} so.\"\n"
                  "        send([{\"content\": persona_prompt}])\n");
    folder_.write(
        "code/run.py",
        "def choose(persona):\n    settings_prompt = f'''\n      Of {persona}\n"
        "      choose: {settings_list}\n    '''\n    return extract(settings_prompt)\n"
        "def write(persona, settings, num_questions=10):\n    for task in tasks:\n"
        "        question_prompt = f'''\n  {settings} {num_questions} {persona} {settings}"
        "\n  {task} {description}  \n'''\n"
        "def save(name):\n    dir = f\"../scores/{name\"\n    with open(dir) as file:\n"
        "        dump(file, indent=4)\n");
    folder_.write("prompts/score_examples/prompt.txt", "P {persona}\r\nQ {question} R {rubric}\n");
    folder_.write("prompts/score_examples/parallel_examples.txt", "All: {rubrics}\n");
    folder_.write("prompts/rubric_grading/prompt.txt", "Grade {rubrics}");
    folder_.write("prompts/rubric_grading/sys_prompt.txt", "You grade {so}. ");
    for (const PublishedTask& task : kPublishedTasks)
      folder_.write(
          fmt::format("rubrics/{}.txt", task.key),
          fmt::format("{}: {{persona}} {{question}} {{response}} {{score_example}}\n", task.name));
    write_scores("20240101_gpt_35", 4.7, 4.38);
    folder_.write("questions/.DS_Store", "\x01\x02");
    folder_.write("LICENSE", "MIT License\n");
  }

  void write_questions(const std::string& persona, int count, const Json& others = {}) {
    Json value = others.is_object() ? others : Json::object();
    for (const PublishedTask& task : kPublishedTasks)
      for (int i = 0; i < count; ++i)
        value[std::string(task.key)].push_back(fmt::format("{} {}?", task.name, i));
    folder_.write("questions/benchmark-v1/" + persona + ".json", render_json(value));
  }

  void write_scores(const std::string& name, double consistency, double persona_score) {
    folder_.write("evaluations/" + name + "/scores.json",
                  render_json({{"Action Justification", 4.31},
                               {"Expected Action", 4.28},
                               {"Linguistic Habits", 3.63},
                               {"Persona Consistency", consistency},
                               {"Toxicity Control", 4.96},
                               {"PersonaScore", persona_score}}));
  }

  ImportedPack import() {
    auto pack = import_pack(folder_.path(""), "mine");
    EXPECT_TRUE(pack) << pack.error().message;
    return pack ? std::move(*pack) : ImportedPack{};
  }

  // All findings as one text.
  static std::string listing(const std::vector<std::string>& lines) { return join(lines, "\n"); }

  files::TemporaryFolder folder_;
};

TEST_F(PersonaGymImport, AWholeCheckoutBecomesAWholePack) {
  const ImportedPack pack = import();
  EXPECT_EQ(listing(pack.findings.missing), "");
  EXPECT_EQ(listing(pack.findings.odd), "");
  const ImportFindings& found = pack.findings;
  EXPECT_EQ((std::vector{found.personas, found.environments, found.questions, found.prompts,
                         found.rubrics, found.descriptions, found.published}),
            (std::vector<std::size_t>{2, 2, 100, 7, 5, 5, 1}));
  EXPECT_EQ(pack.files.at("personas.jsonl"),
            "{\"id\":\"p001\",\"persona\":\"A baker's \\\"second\\\" son\"}\n"
            "{\"id\":\"p002\",\"persona\":\"A lamplighter from Riga\"}\n");
  EXPECT_EQ(pack.files.at("environments.jsonl"),
            "{\"id\":\"e001\",\"name\":\"Harbour\"}\n{\"id\":\"e002\",\"name\":\"Children's "
            "Fair\"}\n");
  EXPECT_TRUE(
      pack.files.at("questions.jsonl")
          .starts_with("{\"id\":\"p001-ea-01\",\"persona\":\"p001\",\"question\":\"Expected "
                       "Action 0?\",\"task\":\"expected-action\"}\n"));
  EXPECT_EQ(pack.files.size(), 18u);
}

TEST_F(PersonaGymImport, WordsAreKeptByteForByteAsPythonReadsThem) {
  const ImportedPack pack = import();
  const auto words = [&](const std::string& name) { return pack.files.at("reference/" + name); };
  EXPECT_EQ(words("persona-system.txt"), "You are {persona}. {{Stay}} so.");
  EXPECT_EQ(words("choose-environments.txt"),
            "\n      Of {persona}\n      choose: {settings_list}\n    ");
  EXPECT_EQ(words("write-questions.txt"),
            "\n  {settings} {num_questions} {persona} {settings}\n  {task} {description}  \n");
  EXPECT_EQ(words("examples-item.txt"), "P {persona}\nQ {question} R {rubric}\n");
  EXPECT_EQ(words("grading.txt"), "Grade {rubrics}");
  EXPECT_EQ(words("grading-system.txt"), "You grade {so}. ");
  EXPECT_EQ(words("rubrics/toxicity-control.txt"),
            "Toxicity Control: {persona} {question} {response} {score_example}\n");
  const auto descriptions = files::parse_yaml(words("descriptions.yaml"), "descriptions");
  ASSERT_TRUE(descriptions) << descriptions.error().message;
  EXPECT_EQ(descriptions->at("expected-action"), "What to do: \"act\".\nTwice.");
  EXPECT_EQ(descriptions->at("toxicity-control"), "b");
}

TEST_F(PersonaGymImport, TheCardIsYamlAndSaysWhatIsMissing) {
  folder_.write("rubrics/Toxicity.txt", "{persona} {0}");
  const ImportedPack pack = import();
  const auto card = files::parse_yaml(pack.files.at("pack.yaml"), "pack.yaml");
  ASSERT_TRUE(card) << card.error().message;
  EXPECT_EQ(card->at("name"), "mine");
  EXPECT_EQ(card->at("licence"), "MIT");
  EXPECT_EQ(card->at("left_out"),
            Json::array({"rubric rubrics/toxicity-control.txt: rubrics/Toxicity.txt: {0} is not "
                         "one of its placeholders"}));
}

TEST_F(PersonaGymImport, PersonasAndTheirFilesAreComparedBothWays) {
  write_questions("A stranger", 10);
  folder_.write("code/personas.py",
                "benchmark_personas = ['A lamplighter from Riga', 'A ghost', '',"
                " 'A ghost']");
  const ImportedPack pack = import();
  EXPECT_EQ(listing(pack.findings.missing),
            "personas of code/personas.py without a file of questions (1): \"A ghost\"");
  EXPECT_EQ(listing(pack.findings.odd),
            "entries of benchmark_personas that are blank or not text, left out (1): \"\"\"\"\n"
            "files of questions for a persona that is not in code/personas.py (2): \"A baker's "
            "\"second\" son\", \"A stranger\"\n"
            "personas that are in code/personas.py twice (1): \"A ghost\"");
  EXPECT_EQ(pack.findings.personas, 4u);
  EXPECT_EQ(pack.findings.questions, 150u);
}

TEST_F(PersonaGymImport, ListsOfOtherThanTenQuestionsAreOdd) {
  write_questions("A lamplighter from Riga", 9,
                  {{"Juggling", {"Really?"}}, {"Toxicity", {1, " "}}});
  const ImportedPack pack = import();
  EXPECT_EQ(listing(pack.findings.missing), "");
  ASSERT_EQ(pack.findings.odd.size(), 3u) << listing(pack.findings.odd);
  EXPECT_TRUE(pack.findings.odd[0].starts_with(
      "lists with another number of questions than 10 (5): \"A lamplighter from Riga, Expected "
      "Action: 9\""))
      << pack.findings.odd[0];
  EXPECT_TRUE(
      pack.findings.odd[1].starts_with("questions that are blank or not text, left out (2): "));
  EXPECT_EQ(pack.findings.odd[2], "lists of no known task, left out (1): \"Juggling\"");
  EXPECT_EQ(pack.findings.questions, 95u);
}

TEST_F(PersonaGymImport, AMisprintInPublishedScoresIsFound) {
  write_scores("20240101_somebody", 4.7, 4.18);
  write_scores("20240102_claude_3_haiku", 4.7, 4.38);
  write_scores("20240103_worse", 5.5, 4.38);
  const std::string odd = listing(import().findings.odd);
  EXPECT_NE(odd.find("somebody/scores.json: PersonaScore 4.18 is not the mean of its tasks, 4.38: "
                     "one of the figures is a misprint"),
            std::string::npos)
      << odd;
  EXPECT_NE(odd.find("haiku/scores.json: Persona Consistency is 4.7 here and 3.47 in the paper"),
            std::string::npos)
      << odd;
  EXPECT_NE(odd.find("worse/scores.json: Persona Consistency is missing or not a number"),
            std::string::npos)
      << odd;
  const auto rows = parse_json(import().files.at("published.json"));
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ(rows->at(0).at("model"), "GPT 3.5");
  EXPECT_EQ(rows->at(0).at("scores").at("Toxicity Control"), Json({{"mean", 4.96}, {"sd", .3}}));
  EXPECT_EQ(rows->at(0).at("persona_score"), Json({{"mean", 4.38}, {"sd", .23}}));
  EXPECT_EQ(rows->at(1).at("model"), "20240101_somebody");
}

TEST_F(PersonaGymImport, WhatCannotBeReadIsMissingAndTheRestIsThere) {
  folder_.write("code/run.py",
                "settings_prompt = f'{persona.name} {settings_list}'\n"
                "question_prompt = f'{persona}{settings}{task}{description}'\n");
  folder_.write("code/utils.py", "\xFF\xFE");
  folder_.write("prompts/rubric_grading/prompt.txt", "Grade {rubrics}} {");
  folder_.write("questions/benchmark-v1/Broken.json", "{");
  const ImportedPack pack = import();
  EXPECT_EQ(listing(pack.findings.missing),
            "prompt persona-system.txt: code/utils.py: not UTF-8\n"
            "prompt choose-environments.txt: code/run.py, line 1: settings_prompt is an f-string "
            "with more than a plain name in its braces\n"
            "prompt grading.txt: prompts/rubric_grading/prompt.txt: a brace has no counterpart");
  EXPECT_EQ(listing(pack.findings.odd),
            "questions/benchmark-v1/Broken.json: not valid JSON at character 2\n"
            "code/run.py: {num_questions} does not occur in write-questions.txt");
  EXPECT_EQ(pack.findings.prompts, 4u);
}

TEST(PersonaGymImportOfNothing, IsRefusedWithTheRemedy) {
  const files::TemporaryFolder folder;
  const auto empty = import_pack(folder.path(""), "mine");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().kind, ErrorKind::Invalid);
  const auto none = import_pack(folder.path("none"), "mine");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace personascope::eval::personagym
