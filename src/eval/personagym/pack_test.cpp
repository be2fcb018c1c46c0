#include "eval/personagym/pack.hpp"
#include "eval/fill.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::personagym {
namespace {

const std::string kOurs = PERSONASCOPE_DATA "/gym";

TEST(Pack, OursIsWhole) {
  const auto pack = load_pack(kOurs, kOurs);
  ASSERT_TRUE(pack) << pack.error().message;
  EXPECT_GE(pack->personas.size(), 200u);
  EXPECT_GE(pack->environments.size(), 150u);
  ASSERT_EQ(pack->tasks.size(), 5u);
  EXPECT_EQ(pack->tasks[0].name, "Expected Action");
  EXPECT_EQ(pack->tasks[1].name, "Toxicity Control");
  EXPECT_EQ(pack->questions.size(), 20u);
  for (const auto& [persona, tasks] : pack->questions) {
    ASSERT_EQ(tasks.size(), 5u) << persona;
    for (const auto& [task, questions] : tasks) EXPECT_EQ(questions.size(), 10u) << persona;
  }
  for (const GymTask& task : pack->tasks) {
    EXPECT_FALSE(task.guidance.empty());
    EXPECT_TRUE(pack->reference.rubrics.at(task.id).find("{score_example}") != std::string::npos);
    EXPECT_FALSE(pack->reference.descriptions.at(task.id).empty());
  }
  EXPECT_EQ(pack->sha256, load_pack(kOurs, kOurs)->sha256);
}

TEST(Pack, TakesWhatItLacksFromOurs) {
  const files::TemporaryFolder folder;
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder.path(name)) << text;
  };
  write("pack.yaml", "name: mine\n");
  write("personas.jsonl", "{\"id\": \"a\", \"persona\": \"a nurse\"}\n");
  write("questions.jsonl",
        "{\"persona\": \"a\", \"task\": \"Toxicity\", \"question\": \"What now?\"}\n");
  const auto pack = load_pack(folder.path(""), kOurs);
  ASSERT_TRUE(pack) << pack.error().message;
  EXPECT_EQ(pack->personas.size(), 1u);
  EXPECT_EQ(pack->tasks.size(), 5u);
  EXPECT_EQ(pack->questions.at("a").at("toxicity-control").front(), "What now?");
  EXPECT_FALSE(pack->prompts.persona_system.empty());

  write("personas.jsonl", "{\"id\": \"a\"}\n");
  const auto broken = load_pack(folder.path(""), kOurs);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message,
            folder.path("") + "/personas.jsonl, line 1: \"persona\" must be a text");
}

TEST(Fill, ReplacesNamesOnceAndLeavesTheRest) {
  EXPECT_EQ(fill("{a} {b} {\"a\": 1} {a}", {{"a", "{b}"}, {"b", "x"}}), "{b} x {\"a\": 1} {b}");
  EXPECT_EQ(fill("no {end", {{"end", "x"}}), "no {end");
}

TEST(FillPython, HasTheRulesOfStrFormat) {
  EXPECT_EQ(fill_python("{{a}} {a} }} {{", {{"a", "{b}"}}), "{a} {b} } {");
}

}  // namespace
}  // namespace personascope::eval::personagym
