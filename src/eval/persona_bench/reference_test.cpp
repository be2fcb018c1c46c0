#include "eval/persona_bench/reference.hpp"

#include <gtest/gtest.h>

#include "eval/persona_bench/bench_rig.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::persona_bench {
namespace {

// The model writes "draft N" with N counted through the run, the parser takes it out of the text,
// and the critic passes what `passes_` says of its prompt, in a word that the parser turns to JSON.
struct ReferenceRig : BenchRig {
  ReferenceRig() {
    write_personas(kSixPersonas);
    write_questions(6);
    plan_.protocol = Protocol::Reference;
    plan_.folder = PERSONASCOPE_DATA "/bench";
    plan_.parser = "fake/parser";
    plan_.temperature.reset();
    parser_.endpoint_.model = "parser";
    parser_.features_.output_schema = true;
    model_.behave_ = wrap([](const std::string&, int earlier) {
      return fmt::format("Well: draft {}.", earlier + 1);
    });
    judge_.behave_ = wrap([this](const std::string& prompt, int) -> std::string {
      return passes_(prompt) ? "Keep it." : "Begin anew.";
    });
    parser_.behave_ = wrap([](const std::string& prompt, int) {
      const std::size_t at = prompt.find("Well: ");
      if (at != std::string::npos)
        return render_json({{"answer_to_question", prompt.substr(at + 6)}});
      return render_json({{"chain_of_thought", "c"},
                          {"personalization_critic", "p"},
                          {"helpfulness_critic", "h"},
                          {"conclusion", "e"},
                          {"needs_revision", !has(prompt, "Keep it.")}});
    });
  }
  std::function<bool(const std::string&)> passes_ = [](const std::string&) { return true; };
};

TEST(BenchReference, MainAsksAnswersAndPutsBothIntoForm) {
  ReferenceRig rig;
  rig.plan_.n = 4;
  rig.passes_ = [](const std::string& prompt) { return has(prompt, "Question 1?"); };
  const Json found = rig.run().value();
  EXPECT_EQ(rig.model_.asked_, 4);
  EXPECT_EQ(rig.judge_.asked_, 4);
  EXPECT_EQ(rig.parser_.asked_, 8);
  const core::Request& asked = rig.model_.requests_[1];
  ASSERT_EQ(asked.messages.size(), 2u);
  EXPECT_EQ(asked.messages[0].role, core::Role::System);
  EXPECT_TRUE(has(asked.messages[0].content, "{'age': '32', 'sex': 'Male', 'religion': 'Hindu'}"));
  // The last character is cut off, and the answer's form is never told.
  EXPECT_TRUE(asked.messages[0].content.ends_with("answers the question."));
  EXPECT_FALSE(has(asked.messages[0].content, "answer_to_question"));
  EXPECT_EQ(asked.messages[1].content, "Question 2?");
  EXPECT_FALSE(asked.sampling.temperature || asked.sampling.max_tokens || asked.output);
  const std::string critique = rig.judge_.requests_[1].messages[0].content;
  EXPECT_TRUE(
      has(critique, "The question: Question 2?\n\nThe answer: draft 2.\n\nThe user: {'age'"));
  EXPECT_TRUE(critique.ends_with("\"needs_revision\": true or false\n}\n"));
  EXPECT_EQ(found["protocol"], "reference");
  EXPECT_EQ(found["accuracy"], 0.25);
  EXPECT_EQ(found["n"], 4);
  // The standard deviation of a mean of 4 draws with p = 1/4 is sqrt(3/16/4).
  EXPECT_NEAR(found["bootstrap_std"].get<double>(), 0.2165, 0.02);
  EXPECT_EQ(rig.lines_[1]["answer"], "draft 2.");
  rig.plan_.n = 7;
  EXPECT_TRUE(has(rig.run().error().message, "there are 6 pairs, not 7"));
}

TEST(BenchReference, LooJudgesByTheReducedPersona) {
  ReferenceRig rig;
  rig.plan_.kind = Kind::Loo;
  rig.plan_.n = 6;
  rig.plan_.attributes = {"age", "religion"};
  rig.passes_ = [](const std::string& prompt) { return has(prompt, "'religion'"); };
  const Json found = rig.run().value();
  EXPECT_EQ(rig.model_.asked_, 18);  // without each, without both, and never the whole persona
  for (const core::Request& request : rig.judge_.requests_)
    EXPECT_FALSE(has(request.messages[0].content, "'age'") &&
                 has(request.messages[0].content, "'religion'"));
  EXPECT_NEAR(found["accuracy"].get<double>(), 1.0 / 3, 1e-12);  // of all samples, as published
  const Json age = find_row(found["attributes"], "attribute", "age");
  EXPECT_EQ(age["accuracy"], 1);
  EXPECT_EQ(age["over_baseline"]["delta"], 1);
  EXPECT_EQ(find_row(found["attributes"], "attribute", "religion")["accuracy"], 0);
  EXPECT_EQ(found["baseline"]["accuracy"], 0);
  EXPECT_EQ(found["baseline"]["n"], 6);
}

TEST(BenchReference, LooOfOneAttributeKeepsItsBaseline) {
  ReferenceRig rig;
  rig.plan_.kind = Kind::Loo;
  rig.plan_.n = 6;
  rig.plan_.attributes = {"age"};
  const Json found = rig.run().value();
  EXPECT_EQ(rig.lines_.size(), 12u);
  EXPECT_EQ(found["baseline"]["n"], 6);
  EXPECT_EQ(found["attributes"][0]["over_baseline"]["n"], 6);
  EXPECT_NE(rig.lines_[0]["id"], rig.lines_[1]["id"]);
}

TEST(BenchReference, OnlyPersonasOfAPopulationAreAsked) {
  ReferenceRig rig;
  rig.plan_.kind = Kind::Intersectionality;
  rig.plan_.n = 6;
  const auto personas = load_personas(rig.plan_.personas).value();
  for (const char* text : {"sex=Male", "age 31-32"})
    rig.plan_.populations.push_back(parse_expression(text, personas).value());
  rig.passes_ = [](const std::string& prompt) { return has(prompt, "Question 1?"); };
  const Json found = rig.run().value();
  EXPECT_EQ(rig.model_.asked_, 3);
  EXPECT_NEAR(found["accuracy"].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_NEAR(found["populations"][0]["accuracy"].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_EQ(found["populations"][1]["accuracy"], 0.5);
  EXPECT_EQ(found["populations"][1]["n"], 2);
}

TEST(BenchReference, DraftsShareAConversationAndTheLastIsJudgedForEach) {
  ReferenceRig rig;
  rig.plan_.kind = Kind::PassAtK;
  rig.plan_.n = 2;
  rig.plan_.k = 3;
  rig.plan_.csv_to = rig.folder_.path("curve.csv");
  // Drafts 1 to 3 are the first pair's; only the critique with draft 2 as its question passes.
  rig.passes_ = [](const std::string& prompt) { return has(prompt, "The question: draft 2."); };
  const Json found = rig.run().value();
  EXPECT_EQ(rig.model_.asked_, 6);
  EXPECT_EQ(rig.judge_.asked_, 6);
  const auto& third = rig.model_.requests_[2].messages;
  ASSERT_EQ(third.size(), 4u);
  EXPECT_EQ(third[1].content, "Question 1?");
  EXPECT_EQ(third[2].content, "draft 1.");  // what was taken out of it
  EXPECT_EQ(third[3].role, core::Role::Assistant);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string& prompt = rig.judge_.requests_[i].messages[0].content;
    EXPECT_TRUE(has(prompt, "The answer: draft 3.")) << prompt;
    EXPECT_FALSE(has(prompt, "Question 1?"));
  }
  EXPECT_EQ(found["accuracy"], 0.5);
  EXPECT_EQ(found["cum_score"][0]["value"], 0);
  EXPECT_EQ(found["cum_score"][1]["value"], 0.5);
  EXPECT_EQ(found["cum_score"][2]["value"], 0.5);
  EXPECT_EQ(files::load_text(rig.plan_.csv_to).value(), "k,cum_score\n1,0\n2,0.5\n3,0.5\n");
  EXPECT_TRUE(has(render_json(found["notes"]), "this is not pass@k"));
}

TEST(BenchReference, ADraftThatFailedKeepsItsPlaceInTheCurve) {
  ReferenceRig rig;
  rig.plan_.kind = Kind::PassAtK;
  rig.plan_.n = 1;
  rig.plan_.k = 3;
  rig.plan_.limits_answers = true;
  rig.plan_.max_tokens = 77;
  // Of the three drafts the first is too long for a critic; the others pass.
  rig.model_.behave_ = rig.wrap([](const std::string&, int earlier) {
    return fmt::format("Well: {}", earlier == 0 ? std::string(70'000, 'x') : "draft");
  });
  const Json found = rig.run().value();
  EXPECT_EQ(rig.judge_.asked_, 2);
  EXPECT_EQ(found["cum_score"][0]["value"], 0);
  EXPECT_EQ(found["cum_score"][1]["value"], 1);
  EXPECT_EQ(rig.lines_[0]["critiques"].size(), 3u);
  EXPECT_EQ(rig.model_.requests_[0].sampling.max_tokens, 77);
}

TEST(BenchReference, WhatCannotBePutIntoFormFails) {
  ReferenceRig rig;
  rig.plan_.n = 2;
  rig.parser_.behave_ = rig.wrap([](const std::string&, int) { return "No JSON at all"; });
  const Json found = rig.run().value();
  EXPECT_EQ(found["outcomes"]["failed"], 2);
  EXPECT_TRUE(found["accuracy"].is_null());
  EXPECT_EQ(rig.judge_.asked_, 0);
}

TEST(ReferencePrompts, AreReadFromThePackagesPromptFileWithoutRunningIt) {
  ReferenceRig rig;
  rig.plan_.n = 1;
  rig.plan_.prompts = rig.folder_.path("package");
  const std::string python =
      "import os\n"
      "system_prompt_no_cot = \"\"\"\nFor {persona}!\n\"\"\"\n"
      "critique_template = \"Q {question} A {answer} D {demographic}\"\n"
      "format_critique = \"\"\"\n{\n  \"needs_revision\": true/false\n}\n\"\"\"\n";
  rig.folder_.write("package/tooling/prompts.py", python);
  const Json found = rig.run().value();
  EXPECT_EQ(found["accuracy"], 1);
  EXPECT_EQ(rig.model_.requests_[0].messages[0].content,
            "\nFor {'age': '31', 'sex': 'Male', 'religion': 'Quaker'}!");
  EXPECT_EQ(rig.judge_.requests_[0].messages[0].content,
            "Q Question 1? A draft 1. D {'age': '31', 'sex': 'Male', 'religion': 'Quaker'}\n{\n"
            "  \"needs_revision\": true/false\n}\n");
  rig.folder_.write("package/tooling/prompts.py",
                    "critique_template = 'Q {question} A {answer}'\n");
  EXPECT_TRUE(has(rig.run().error().message, "critique_template has no {demographic}"));
  rig.plan_.prompts = rig.folder_.path("nothing");
  EXPECT_TRUE(has(rig.run().error().message, "prompts.py"));
}

TEST(Reference, BootstrapStdIsThatOfTheMean) {
  EXPECT_EQ(bootstrap_std({1, 1, 1}, 0), 0);
  EXPECT_EQ(bootstrap_std({1, 0, 1, 0}, 3), bootstrap_std({1, 0, 1, 0}, 3));
  EXPECT_NEAR(bootstrap_std({1, 0, 1, 0}, 0), 0.25, 0.02);  // sqrt(1/4/4)
}

}  // namespace
}  // namespace personascope::eval::persona_bench
