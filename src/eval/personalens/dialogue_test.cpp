#include "eval/personalens/dialogue.hpp"

#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::eval::personalens {
namespace {

using llm::FakeModel;

Words make_words() {
  Words words;
  words.user_system = "You are {demographics}; you like {affinities} in {domain}; {task}";
  words.user_system_multi = "Multi: {domains}\n{affinities}";
  words.user_opening = "Yes?";
  words.assistant_system = "Assist. {known}";
  words.assistant_system_multi = "Assist with all. {known}";
  words.sections = {{"demographics", "About:\n{demographics}"},
                    {"affinities", "Likes:\n{affinities}"},
                    {"summary", "Past:\n{summary}"},
                    {"situation", "Now:\n{situation}"},
                    {"task", "Task: {task}"},
                    {"goal", "Goal: {goal}"},
                    {"nothing", "Nothing is known."}};
  words.reference = {{"user-system", "US"},
                     {"user-first", "UF {{x}} {task}"},
                     {"user", "U {{x}} {task}\n{history}"},
                     {"user-multi-system", "UMS"},
                     {"user-multi-first", "UMF {user_affinity}|{interaction_summary}"},
                     {"user-multi", "UM {domains}\n{history}"},
                     {"assistant-system", "AS"},
                     {"assistant", "A {known}\n{history}"}};
  return words;
}

Scenario make_scenario(Span span = Span::Single) {
  Scenario scenario;
  scenario.user.number = 7;
  scenario.user.demographics = {{"user_id", {"user7"}}, {"age", {"30"}}};
  scenario.user.affinities = {{"Zoo", {{"animal", {"apes", "owls"}}}},
                              {"Bus", {{"seat", {"front"}}}}};
  scenario.user.interactions = {{"Zoo", "Often."}, {"Bus", "Rarely."}};
  scenario.task.id = "SD-Zoo-task-1";
  scenario.task.intent = "Go \"out\".";
  scenario.task.goal = "Gone.";
  scenario.task.domains = {"Zoo"};
  if (span == Span::Multi) scenario.task.domains.push_back("Bus");
  scenario.task.span = span;
  scenario.task.situation = {{"Place", {"bed"}}};
  return scenario;
}

class DialogueTest : public testing::Test {
 protected:
  // Both sides say their lines one after another; the last again and again.
  static FakeModel::Behaviour say(std::vector<std::string> lines) {
    return [lines](const core::Request&, llm::Delivery, int earlier) -> Task<llm::Attempt> {
      const auto last = lines.size() - 1;
      llm::Attempt attempt =
          FakeModel::make_attempt(lines[std::min(static_cast<std::size_t>(earlier), last)]);
      co_return attempt;
    };
  }
  Dialogue hold(std::vector<std::string> user_lines, std::vector<std::string> assistant_lines,
                Protocol protocol = Protocol::Chat, Knowledge knowledge = {},
                Span span = Span::Single, std::int64_t max_turns = 4) {
    user_.endpoint_.model = "user";
    user_.behave_ = say(std::move(user_lines));
    assistant_.behave_ = say(std::move(assistant_lines));
    const Scenario scenario = make_scenario(span);
    const ScenarioTexts texts = make_texts(scenario).value();
    const Conversing conversing{.words = words_,
                                .user = user_,
                                .assistant = assistant_,
                                .protocol = protocol,
                                .max_turns = max_turns,
                                .max_tokens = 100};
    return sched::run_to_end(bench_.loop(), converse(bench_.chain(), conversing, scenario, texts,
                                                     knowledge, "user7/x", 0))
        .value();
  }
  static std::string text_of(const core::Request& request) {
    std::string text;
    for (const core::Message& message : request.messages)
      text += fmt::format("<{}> {}\n", core::name_of(message.role), message.content);
    return text;
  }

  Words words_ = make_words();
  llm::ChainBench bench_;
  FakeModel user_;
  FakeModel assistant_;
};

TEST_F(DialogueTest, TheMarkIsTakenOutAndTheAssistantAnswersOnceMore) {
  const Dialogue dialogue = hold({"Hello.", "Bye. TERMINATE"}, {"Hi.", "Goodbye."});
  EXPECT_EQ(render_conversation(dialogue, 99),
            "[USER]: Hello.\n[ASSISTANT]: Hi.\n[USER]: Bye.\n[ASSISTANT]: Goodbye.");
  EXPECT_EQ(dialogue.ending, Ending::Terminated);
  EXPECT_FALSE(dialogue.mark_inside);
  EXPECT_EQ(render_conversation(dialogue, 1), "[USER]: Hello.");
}

TEST_F(DialogueTest, EachSideSeesItsOwnHistory) {
  hold({"Hello.", "Bye. TERMINATE"}, {"Hi.", "Goodbye."}, Protocol::Chat, {.demographics = true});
  EXPECT_EQ(text_of(user_.requests_[1]),
            "<system> You are - age: 30; you like - animal: apes, owls in Zoo; Go \"out\".\n"
            "<user> Yes?\n<assistant> Hello.\n<user> Hi.\n");
  EXPECT_EQ(text_of(assistant_.requests_[1]),
            "<system> Assist. About:\n- age: 30\n<user> Hello.\n<assistant> Hi.\n<user> Bye.\n");
  EXPECT_EQ(user_.requests_[0].sampling.temperature, 0.5);
  EXPECT_EQ(assistant_.requests_[0].sampling.temperature, 0.0);
}

TEST_F(DialogueTest, TheReferenceSendsSingleMessages) {
  hold({"Hello.", "Bye. TERMINATE"}, {"Hi.", "Goodbye."}, Protocol::Reference);
  EXPECT_EQ(text_of(user_.requests_[0]), "<system> US\n<user> UF {x} Go \"out\".\n");
  EXPECT_EQ(text_of(user_.requests_[1]),
            "<system> US\n<user> U {x} Go \"out\".\n[USER]: Hello.\n[ASSISTANT]: Hi.\n");
  EXPECT_EQ(text_of(assistant_.requests_[1]),
            "<system> AS\n<user> A Nothing is known.\nUser: Hello.\nAssistant: Hi.\nUser: Bye.\n");
}

TEST_F(DialogueTest, TheReferenceDoesNotLookForTheMarkInTheOpening) {
  const Dialogue dialogue =
      hold({" TERMINATE? \n", " Bye.TERMINATE\n"}, {" Hi.\n"}, Protocol::Reference);
  EXPECT_EQ(render_conversation(dialogue, 99),
            "[USER]:  TERMINATE? \n\n[ASSISTANT]:  Hi.\n\n[USER]: Bye.\n[ASSISTANT]:  Hi.\n");
  EXPECT_EQ(dialogue.ending, Ending::Terminated);
}

TEST_F(DialogueTest, ByTheReferenceAUserWhoNeverEndsHasTheLastWord) {
  const Dialogue dialogue = hold({"More."}, {"Hm."}, Protocol::Reference, {}, Span::Single, 3);
  EXPECT_EQ(dialogue.ending, Ending::Exhausted);
  EXPECT_EQ(dialogue.turns.size(), 7u);  // the opening, then three of each
  EXPECT_EQ(dialogue.turns.back().role, core::Role::User);
}

TEST_F(DialogueTest, TheReferenceSetsSeveralDomainsApartInItsOwnWay) {
  hold({"Hello."}, {"Hi."}, Protocol::Reference, {}, Span::Multi, 1);
  EXPECT_EQ(text_of(user_.requests_[0]),
            "<system> UMS\n<user> UMF \nZoo:\n- animal: apes, owls\n\nBus:\n- seat: front\n|"
            "\n<Zoo>\nOften.\n</Zoo>\n\n<Bus>\nRarely.\n</Bus>\n\n");
}

TEST_F(DialogueTest, APackHasPromptsByKindOfModelAndContext) {
  words_.reference["assistant/claude/system"] = "CS";
  words_.reference["assistant/claude/d"] = "D {demographic_profile} {message_history}";
  words_.reference["assistant/claude/dps"] =
      "{demographic_profile}|{interaction_summary}|{situation_context}|{message_history}";
  const ScenarioTexts texts = make_texts(make_scenario()).value();
  const auto render = [&](const char* letters, const char* family) {
    return render_reference_assistant(words_, texts, parse_letters(letters).value(), family, "H");
  };
  EXPECT_EQ(render("d", "claude"), "D - age: 30 H");
  EXPECT_EQ(render("dps", "claude"), "- age: 30|Often.|- Place: bed|H");
  EXPECT_EQ(render("ds", "claude"), "- age: 30|Not known.|- Place: bed|H");
  EXPECT_EQ(render("none", "claude"), "A Nothing is known.\nH");  // the pack has none: ours
  EXPECT_EQ(render("d", "llama"), "A About:\n- age: 30\nH");
  EXPECT_EQ(find_assistant_system(words_, "claude"), "CS");
  EXPECT_EQ(find_assistant_system(words_, "mistral"), "AS");
}

TEST(Family, IsChosenByTheModelsNameWithoutItsProvider) {
  EXPECT_EQ(find_family("claude-3-sonnet-v1"), "claude");
  EXPECT_EQ(find_family("bedrock/us.meta.llama3-1-8b-instruct-v1:0"), "llama");
  EXPECT_EQ(find_family("ollama/mixtral"), "mistral");
  EXPECT_EQ(find_family("together/Mistral-7B"), "mistral");
  EXPECT_EQ(find_family("openai/gpt-4o"), "claude");
}

TEST_F(DialogueTest, AllEightContextsShowWhatTheyName) {
  for (const char* letters : {"none", "d", "p", "s", "dp", "ds", "ps", "dps"}) {
    const Knowledge knowledge = parse_letters(letters).value();
    EXPECT_EQ(render_letters(knowledge), letters);
    const std::string known = render_known(words_, make_texts(make_scenario()).value(), knowledge);
    EXPECT_EQ(known.find("About:\n- age: 30") != std::string::npos, knowledge.demographics);
    EXPECT_EQ(known.find("Past:\nOften.") != std::string::npos, knowledge.past);
    EXPECT_EQ(known.find("Now:\n- Place: bed") != std::string::npos, knowledge.situation);
    EXPECT_EQ(known == "Nothing is known.", knowledge == Knowledge{});
  }
  EXPECT_EQ(render_tag({true, false, true}), "_d_s");
  for (const char* letters : {"", "x", "dd", "d,p"}) EXPECT_FALSE(parse_letters(letters));
}

TEST_F(DialogueTest, SeveralDomainsStandBelowTheirNames) {
  hold({"Bye. TERMINATE"}, {"Hi."}, Protocol::Chat, {.past = true}, Span::Multi);
  EXPECT_EQ(text_of(user_.requests_[0]),
            "<system> Multi: Zoo, Bus\nZoo:\n- animal: apes, owls\n\nBus:\n- seat: front\n"
            "<user> Yes?\n");
  EXPECT_EQ(assistant_.requests_[0].messages[0].content,
            "Assist with all. Past:\nZoo:\nOften.\n\nBus:\nRarely.");
}

TEST_F(DialogueTest, AUserWhoNeverEndsExhaustsTheTurns) {
  const Dialogue dialogue =
      hold({"One.", "Two.", "Three."}, {"Hm."}, Protocol::Chat, {}, Span::Single, 3);
  EXPECT_EQ(dialogue.ending, Ending::Exhausted);
  EXPECT_EQ(dialogue.turns.size(), 6u);
}

TEST_F(DialogueTest, TheMarkInsideASentenceEndsItToo) {
  const Dialogue dialogue = hold({"I will not TERMINATE yet."}, {"Fine."});
  EXPECT_EQ(dialogue.ending, Ending::Terminated);
  EXPECT_TRUE(dialogue.mark_inside);
}

TEST_F(DialogueTest, TheMarkAloneInTheFirstTurnBreaksTheDialogue) {
  const Dialogue dialogue = hold({"TERMINATE"}, {"Fine."});
  EXPECT_EQ(dialogue.ending, Ending::Broken);
  EXPECT_EQ(dialogue.fault->message,
            "the simulated user, turn 1: it ended the dialogue before it had said anything");
  EXPECT_TRUE(dialogue.turns.empty());
}

TEST_F(DialogueTest, TheMarkAloneLaterOnEndsItWithoutAnotherAnswer) {
  const Dialogue dialogue = hold({"Hello.", "TERMINATE"}, {"Hi."});
  EXPECT_EQ(dialogue.ending, Ending::Terminated);
  EXPECT_EQ(dialogue.turns.size(), 2u);
}

TEST_F(DialogueTest, AnEmptyMessageBreaksIt) {
  const Dialogue dialogue = hold({"Hello."}, {" \n"});
  EXPECT_EQ(dialogue.fault->message, "the assistant, turn 1: an empty message");
  EXPECT_EQ(dialogue.fault->kind, ErrorKind::Unparsable);
}

TEST_F(DialogueTest, AHugeMessageBreaksIt) {
  const Dialogue dialogue = hold({"Hello."}, {std::string(100'000, 'x')});
  EXPECT_EQ(dialogue.fault->kind, ErrorKind::TooLarge);
  EXPECT_EQ(dialogue.turns.size(), 1u);
}

TEST(Scenario, AMissingDomainIsNamed) {
  Scenario scenario = make_scenario();
  scenario.task.domains = {"Alarm"};
  EXPECT_EQ(make_texts(scenario).error().message,
            "user7 has no affinities for Alarm, which the task SD-Zoo-task-1 needs");
}

TEST(DialogueFileForm, IsThePublishedOneToTheByte) {
  DialogueFile file;
  file.user = 7;
  file.task_id = "SD-Zoo-task-1";
  file.intent = "Go \"out\".";
  file.user_model = "m";
  file.assistant_model = "m";
  file.dialogue.turns = {{core::Role::User, "Olé\n"}, {core::Role::Assistant, "Hi"}};
  const std::string text = render_dialogue_file(file);
  EXPECT_EQ(text, R"({
    "user_id": 7,
    "task_id": "SD-Zoo-task-1",
    "task_description": "Go \"out\".",
    "user_model": "m",
    "assistant_model": "m",
    "dialogue": [
        {
            "role": "user",
            "content": "Ol\u00e9\n"
        },
        {
            "role": "assistant",
            "content": "Hi"
        }
    ]
})");
  const DialogueFile again = parse_dialogue_file(text, "f").value();
  EXPECT_EQ(render_dialogue_file(again), text);
  EXPECT_EQ(again.dialogue.ending, Ending::Given);
}

TEST(DialogueFileForm, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"{", "f: not valid JSON at character 2"},
      {"{}", "f: \"dialogue\" must be a list of turns"},
      {R"({"dialogue": []})", "f: the dialogue has no turns"},
      {R"({"dialogue": [{"role": "system", "content": ""}]})",
       "f: a turn must have a role, user or assistant, and a text as content"},
      {R"({"dialogue": [{"role": "user", "content": 3}]})",
       "f: a turn must have a role, user or assistant, and a text as content"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_EQ(parse_dialogue_file(text, "f").error().message, message) << text;
}

}  // namespace
}  // namespace personascope::eval::personalens
