#include "eval/persona_bench/import_data.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "eval/persona_bench/bench_data.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::persona_bench {
namespace {

class ImportDataTest : public testing::Test {
 protected:
  // Imports a file of the text; what is written is in personas_ and questions_.
  Json import(std::string_view text, const char* name = "data.csv",
              Duplicates duplicates = Duplicates::Drop) {
    const std::string path = folder_.write(name, text);
    personas_.clear();
    questions_.clear();
    DataImport import(
        duplicates, [&](std::string_view line) { return append(personas_, line); },
        [&](std::string_view line) { return append(questions_, line); });
    const auto rows = files::RowReader::open(path, "/nowhere/parquet_rows");
    if (!rows) return rows.error().message;
    const auto added = import.add(**rows, name);
    if (!added) return added.error().message;
    return to_json(import.data());
  }

  static Result<void> append(std::string& text, std::string_view line) {
    text += line;
    return {};
  }

  files::TemporaryFolder folder_;
  std::string personas_;
  std::string questions_;
};

TEST_F(ImportDataTest, ColumnsAreKnownWhateverCaseBlanksAndUnderscores) {
  EXPECT_EQ(attribute_of_column("Big_Five Scores"), "big five scores");
  EXPECT_EQ(attribute_of_column("BIGFIVE"), "big five scores");
  EXPECT_EQ(attribute_of_column("defining_quirk"), "defining quirks");
  EXPECT_EQ(attribute_of_column("abilityToSpeakEnglish"), "ability to speak english");
  EXPECT_EQ(attribute_of_column(" favourite_food "), "favourite food");
  EXPECT_EQ(attribute_of_column("gender"), "gender");  // not the same word, so not the same thing
}

TEST_F(ImportDataTest, APersonaFileKeepsUnknownColumnsAndNamesThem) {
  const Json found = import(
      ",AGE,Place_Of_Birth,Favourite_Dish\n"
      "0,44,Texas,Soup\n"
      "1,151,,Bread\n"
      "2,44,Texas,Soup\n"
      "3,nan,,Beans\n");
  EXPECT_EQ(personas_,
            "{\"id\": \"u1\", \"age\": \"44\", \"place of birth\": \"Texas\", "
            "\"Favourite Dish\": \"Soup\"}\n"
            "{\"id\": \"u2\", \"age\": \"151\", \"Favourite Dish\": \"Bread\"}\n");
  EXPECT_EQ(questions_, "");
  EXPECT_EQ(found["further_attributes"], Json({"Favourite Dish"}));
  EXPECT_EQ(found["missing_attributes"].size(), 31u);
  EXPECT_EQ(found["files"], Json::parse(R"([{"path": "data.csv", "rows": 4, "personas": 2,
                                             "questions": 0}])"));
  EXPECT_EQ(found["dropped"], Json::parse(R"([
      {"reason": "the persona is repeated", "count": 1, "places": ["data.csv, line 4"]},
      {"reason": "a persona without any of the 33 attributes", "count": 1,
       "places": ["data.csv, line 5"]}])"));
  EXPECT_EQ(found["odd"], Json::parse(R"([
      {"reason": "an age that is not a number from 0 to 120", "count": 1,
       "places": ["data.csv, line 3"]},
      {"reason": "\"nan\", treated as empty", "count": 1, "places": ["data.csv, line 5"]}])"));
}

TEST_F(ImportDataTest, AQuestionFileKeepsItsOrderAndIds) {
  const char* text =
      "Question\tuser_id\tid\n"
      "Should schools teach religion at all?\t7\ta\n"
      "\t8\tb\n"
      "Should schools teach religion at all?\t9\tc\n"
      "Tell me now\t9\ta\n";
  const Json found = import(text, "prism.tsv");
  EXPECT_EQ(questions_,
            "{\"id\": \"a\", \"question\": \"Should schools teach religion at all?\"}\n"
            "{\"id\": \"q2\", \"question\": \"Tell me now\"}\n");
  EXPECT_EQ(found["unused_columns"], Json({"user id"}));
  EXPECT_EQ(found["dropped"].size(), 2u);
  EXPECT_EQ(found["dropped"][0]["places"], Json({"prism.tsv, line 3"}));
  EXPECT_EQ(found["odd"].size(), 3u);  // no question mark, three words, an id again

  const Json kept = import(text, "prism.tsv", Duplicates::Keep);
  EXPECT_EQ(kept["questions"], 3);
}

TEST_F(ImportDataTest, MadeIdsGoOnAfterTheLastFreeNumber) {
  import(
      "id,question\n"
      "q3,Should schools teach religion at all?\nq2,Should taxes on land be higher?\n"
      "q2,Should voting be a duty?\nq2,Should cities ban cars?\n,Should dogs be on a leash?\n");
  std::vector<std::string> ids;
  for (const std::string_view line : split(trim(questions_), '\n'))
    ids.push_back(parse_json(line).value()["id"]);
  EXPECT_EQ(ids, (std::vector<std::string>{"q3", "q2", "q4", "q5", "q6"}));
}

TEST_F(ImportDataTest, ARowThatPairsAPersonaWithAQuestionGivesBothOnce) {
  const Json found = import(
      R"({"instruction": "Is it fair to tax sugar more?", "persona": "age: 44\nsex: Female\nbig five scores: Openness: High", "data": "A", "original": "B"})"
      "\n"
      R"({"instruction": "Is it fair to tax meat more?", "persona": "age: 44\nsex: Female\nbig five scores: Openness: High", "data": "A", "original": "B"})"
      "\n"
      R"({"instruction": "Is it fair to tax meat more?", "persona": "{'age': 30, 'motto': \"Don't\"}"})"
      "\n",
      "persona.jsonl");
  EXPECT_EQ(personas_,
            "{\"id\": \"u1\", \"age\": \"44\", \"sex\": \"Female\", "
            "\"big five scores\": \"Openness: High\"}\n"
            "{\"id\": \"u2\", \"age\": \"30\", \"motto\": \"Don't\"}\n");
  EXPECT_EQ(found["questions"], 2);
  EXPECT_EQ(found["seen_again"], 2);
  EXPECT_EQ(found["question_columns"], Json({"instruction"}));
  EXPECT_EQ(found["unused_columns"], Json({"data", "original"}));
  EXPECT_EQ(found["further_attributes"], Json({"motto"}));
  EXPECT_EQ(found["dropped"], Json::array());
}

TEST_F(ImportDataTest, RowsThatAreNotRowsAreDroppedWithTheirLine) {
  const Json found = import(
      "{\"question\": \"Is this one a good question?\"}\n"
      "{\"question\": \n"
      "[1, 2]\n"
      "{\"colour\": \"red\"}\n"
      "{\"question\": null}\n",
      "some.jsonl");
  EXPECT_EQ(found["questions"], 1);
  ASSERT_EQ(found["dropped"].size(), 4u);
  EXPECT_EQ(found["dropped"][0]["places"], Json({"some.jsonl, line 2"}));
  EXPECT_EQ(found["dropped"][1]["reason"], "not a JSON object");
  EXPECT_EQ(found["dropped"][2]["reason"], "neither a question nor one of the 33 attributes");
  EXPECT_EQ(found["dropped"][3]["reason"], "an empty question");
}

TEST_F(ImportDataTest, ANoteCountsAllPlacesAndShowsTheFirst) {
  std::string text = "question\n";
  for (int i = 0; i < 25; ++i) text += fmt::format("Number {}\n", i);
  const Json found = import(text);
  EXPECT_EQ(found["odd"][0]["count"], 25);
  EXPECT_EQ(found["odd"][0]["places"].size(), 10u);
}

TEST_F(ImportDataTest, WhatIsWrittenIsWhatTheBenchReads) {
  import(
      "[{\"Sex\": \"Female\", \"age\": 44.0, \"big_five_scores\": {\"Openness\": \"High\"},"
      " \"lifestyle\": \"Two\\nlines\", \"id\": \"x\\u001b[31m\"}]",
      "array.json");
  const auto personas = load_personas(folder_.write("personas.jsonl", personas_));
  ASSERT_TRUE(personas) << personas.error().message;
  EXPECT_EQ(render_persona(personas->front()),
            "- age: 44\n- sex: Female\n- big five scores: Openness: High\n- lifestyle: Two lines");
  import("question\n\"A question, with \"\"quotes\"\" and\nlines?\"\n");
  const auto questions = load_questions(folder_.write("questions.jsonl", questions_));
  ASSERT_TRUE(questions) << questions.error().message;
  EXPECT_EQ(questions->front().text, "A question, with \"quotes\" and\nlines?");
}

TEST_F(ImportDataTest, AFileThatCannotBeReadIsRefusedInASentence) {
  EXPECT_NE(import("PAR1....", "x.parquet").get<std::string>().find("run scripts/setup-parquet"),
            std::string::npos);
  EXPECT_NE(import("version https://git-lfs.github.com/spec/v1\n", "x.parquet")
                .get<std::string>()
                .find("git lfs"),
            std::string::npos);
  EXPECT_NE(import("\x1f\x8b\x08", "x.csv").get<std::string>().find("is compressed"),
            std::string::npos);
  EXPECT_NE(import("[{\"question\"", "x.json").get<std::string>().find("x.json: "),
            std::string::npos);
  EXPECT_NE(import("question\n\"open\n", "x.csv").get<std::string>().find("quote is never closed"),
            std::string::npos);
}

}  // namespace
}  // namespace personascope::eval::persona_bench
