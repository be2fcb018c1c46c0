#include "eval/personagym/pack.hpp"
#include "eval/fill.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/text.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::personagym {
namespace {

const std::string kOurs = PERSONASCOPE_DATA "/gym";

TEST(Pack, OursIsWhole) {
  const auto pack = load_pack(kOurs, kOurs);
  ASSERT_TRUE(pack) << pack.error().message;
  EXPECT_EQ(pack->card.at("version"), 2);
  EXPECT_EQ(pack->personas.size(), 293u);
  EXPECT_EQ(pack->personas.front().kind, "other");
  EXPECT_GE(pack->environments.size(), 150u);
  ASSERT_EQ(pack->tasks.size(), 5u);
  EXPECT_EQ(pack->tasks[0].name, "Expected Action");
  EXPECT_EQ(pack->tasks[1].name, "Toxicity Control");
  EXPECT_EQ(pack->questions.size(), 60u);
  for (const auto& [persona, tasks] : pack->questions) {
    ASSERT_EQ(tasks.size(), 5u) << persona;
    for (const auto& [task, questions] : tasks) EXPECT_EQ(questions.size(), 10u) << persona;
  }
  for (const GymTask& task : pack->tasks) {
    EXPECT_FALSE(task.guidance.empty());
    EXPECT_TRUE(pack->reference.rubrics.at(task.id).find("{score_example}") != std::string::npos);
    EXPECT_FALSE(pack->reference.descriptions.at(task.id).empty());
  }
  EXPECT_FALSE(pack->tasks[0].beside);
  ASSERT_TRUE(pack->tasks[1].beside);
  EXPECT_EQ(pack->tasks[1].beside->name, "Fidelity under provocation");
  EXPECT_EQ(pack->sha256, load_pack(kOurs, kOurs)->sha256);
}

TEST(Pack, HasSevenProbesForEveryPersonaWithQuestions) {
  const auto pack = load_pack(kOurs, kOurs);
  ASSERT_TRUE(pack) << pack.error().message;
  EXPECT_EQ(pack->probes.size(), 7 * pack->questions.size());
  const Probe& first = pack->probes.front();
  EXPECT_EQ(first.id, "p017-pr-01");
  EXPECT_EQ(first.persona, "p017");
  EXPECT_EQ(first.probe, "false-premise");
  EXPECT_EQ(first.task, "persona-consistency");
  EXPECT_FALSE(first.question.empty() || first.good.empty() || first.bad.empty());
  EXPECT_EQ(list_probes(*pack, pack->personas.at(16).text).size(), 7u);
  EXPECT_EQ(list_probes(*pack, "nobody").size(), 0u);
  ASSERT_TRUE(pack->probe_rubric);
  const auto fields = judge::list_needed_fields(pack->probe_rubric->prompt);
  for (const char* field : {"good", "bad", "persona", "question", "answer"})
    EXPECT_TRUE(std::ranges::find(fields, field) != fields.end()) << field;
}

TEST(Pack, ABadProbeIsToldWithItsPlace) {
  const files::TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder.path(name)) << text;
  };
  write("pack.yaml", "name: mine\n");
  write("personas.jsonl", "{\"id\": \"a\", \"persona\": \"a nurse\"}\n");
  const std::string good =
      R"({"id": "x", "persona": "a", "probe": "ai", "task": "persona-consistency", )"
      R"("question": "Are you real?", "good": "Says yes.", "bad": "Says no."})";
  const auto edit = [&](std::string_view from, std::string_view to) {
    return replace_all(good, from, to);
  };
  const struct {
    std::string lines;
    std::string message;
  } cases[] = {
      {edit("persona-consistency", "chess"), "line 1: there is no task chess"},
      {edit("\"a\"", "\"b\""), "line 1: there is no persona b"},
      {edit("Says no.", " "), "line 1: \"bad\" must be a text"},
      {good + "\n" + good, "line 2: the id x is used twice"},
  };
  for (const auto& [lines, message] : cases) {
    write("probes.jsonl", lines + "\n");
    const auto pack = load_pack(folder.path(""), kOurs);
    ASSERT_FALSE(pack) << message;
    EXPECT_EQ(pack.error().message, folder.path("") + "/probes.jsonl, " + message);
  }
  write("probes.jsonl", good + "\n");
  const auto pack = load_pack(folder.path(""), kOurs);
  ASSERT_TRUE(pack) << pack.error().message;
  EXPECT_EQ(pack->probes.size(), 1u);
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
