#include "llm/providers/scripted.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sched/loop.hpp"

namespace personascope::llm {
namespace {

constexpr const char* kScript = R"(
rules:
  - when: "*capital of France*"
    reply: Paris.
  - when: "*weather*"
    replies: [Sunny., Rainy.]
  - when: "*forbidden*"
    refuse: I would rather not.
  - when: "busy*"
    error: rate_limited
    times: 2
  - when: "exact"
    error: context_too_long
  - reply: "You said: {prompt}"
)";

core::Request make_scripted_request(const std::string& text) {
  core::Request request;
  request.messages = {{core::Role::System, "busy"}, {core::Role::User, text}};
  return request;
}

std::string ask(Model& model, const std::string& text) {
  sched::Loop loop;
  const core::Request request = make_scripted_request(text);
  const Attempt attempt = sched::run_to_end(loop, model.ask(request, {}));
  if (!attempt.reply) return std::string(name_of(attempt.reply.error().kind));
  return (core::is_refusal(*attempt.reply) ? "refused: " : "") + attempt.reply->text;
}

TEST(Scripted, AnswersByTheFirstRuleThatFits) {
  const auto model = parse_scripted_model(kScript, "s.yaml").value();
  const std::pair<const char*, const char*> cases[] = {
      {"What is the capital of France?", "Paris."},
      {"capital of France", "Paris."},
      {"this is forbidden", "refused: I would rather not."},
      {"exact", "context_too_long"},
      {"exactly", "You said: exactly"},
      {"not busy", "You said: not busy"},
      {"", "You said: "},
  };
  for (const auto& [prompt, answer] : cases) EXPECT_EQ(ask(*model, prompt), answer);
}

TEST(Scripted, FailsOnlyAsOftenAsItIsTold) {
  const auto model = parse_scripted_model(kScript, "s.yaml").value();
  for (const char* prompt : {"busy 1", "busy 2"}) {
    EXPECT_EQ(ask(*model, prompt), "rate_limited");
    EXPECT_EQ(ask(*model, prompt), "rate_limited");
    EXPECT_EQ(ask(*model, prompt), std::string("You said: ") + prompt);
  }
}

TEST(Scripted, PicksAmongRepliesByTheRequestAlone) {
  const auto one = parse_scripted_model(kScript, "s.yaml").value();
  const auto other = parse_scripted_model(kScript, "s.yaml").value();
  int sunny = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string prompt = "weather " + std::to_string(i);
    const std::string answer = ask(*one, prompt);
    EXPECT_EQ(answer, ask(*other, prompt));
    sunny += answer == "Sunny.";
  }
  EXPECT_GT(sunny, 20);
  EXPECT_LT(sunny, 80);
}

TEST(Scripted, TakesTheScriptForItsWeights) {
  const auto one = parse_scripted_model("rules: [{reply: a}]", "s.yaml").value();
  const auto other = parse_scripted_model("rules: [{reply: b}]", "s.yaml").value();
  EXPECT_NE(one->endpoint().weights, other->endpoint().weights);
  EXPECT_EQ(render_name(one->endpoint()), "scripted/s.yaml");
  const auto elsewhere = parse_scripted_model("rules: [{reply: a}]", "/some/where/s.yaml").value();
  EXPECT_EQ(to_json(one->endpoint()), to_json(elsewhere->endpoint()));
}

TEST(Scripted, RefusesBadScriptsAndNamesTheRule) {
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "s.yaml: a script needs a list \"rules\""},
      {"rules: []", "s.yaml: a script needs a list \"rules\""},
      {"rules: [7]", "s.yaml, rule 1: a rule must be a map"},
      {"rules: [{reply: a}, {when: x}]",
       "s.yaml, rule 2: a rule needs reply, replies, refuse, error or choices"},
      {"rules: [{error: martian}]", "s.yaml, rule 1: \"martian\" is not a kind of error"},
      {"rules: [{reply: a, times: -1}]", "s.yaml, rule 1: \"times\" is unknown"},
      {"rules: [{replay: a}]", "s.yaml, rule 1: \"replay\" is unknown"},
      {"rules: [{replies: []}]", "s.yaml, rule 1: \"replies\" is unknown"},
  };
  for (const auto& [script, message] : cases) {
    const auto model = parse_scripted_model(script, "s.yaml");
    ASSERT_FALSE(model) << script;
    EXPECT_TRUE(model.error().message.starts_with(message)) << model.error().message;
  }
  EXPECT_EQ(load_scripted_model("/nowhere/s.yaml").error().kind, ErrorKind::NotFound);
}

TEST(Scripted, SaysWhenNoRuleFits) {
  const auto model = parse_scripted_model("rules: [{when: a, reply: b}]", "s.yaml").value();
  EXPECT_EQ(ask(*model, "c"), "invalid");
}

TEST(Scripted, SaysThatItGivesNoLogprobs) {
  const auto model = parse_scripted_model(kScript, "script.yaml").value();
  core::Request request = make_scripted_request("exact");
  request.top_logprobs = 2;
  sched::Loop loop;
  const Attempt attempt = sched::run_to_end(loop, model->ask(request, {}));
  ASSERT_FALSE(attempt.reply);
  EXPECT_EQ(attempt.reply.error().kind, ErrorKind::Unsupported);
}

TEST(Scripted, SaysHowLikelyLabelsAreWhereTheScriptDoes) {
  EXPECT_FALSE(parse_scripted_model(kScript, "s").value()->features().choices);
  const auto model =
      parse_scripted_model(R"(rules: [{when: "rate", choices: {"4": 0.6, "5": 0.3}}, {reply: hm}])",
                           "s")
          .value();
  EXPECT_TRUE(model->features().choices);
  const auto read = [&](const std::string& text) {
    sched::Loop loop;
    core::Request request = make_scripted_request(text);
    request.choices = {"3", "4", "5"};
    return sched::run_to_end(loop, model->ask(request, {})).reply;
  };
  const auto reply = read("rate");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "4");
  ASSERT_EQ(reply->choices.size(), 3u);
  EXPECT_EQ(reply->choices[0].token, "3");
  EXPECT_EQ(std::exp(reply->choices[0].logprob), 0);
  EXPECT_NEAR(std::exp(reply->choices[1].logprob), 0.6, 1e-12);
  EXPECT_EQ(read("other").error().kind, ErrorKind::Invalid);
  EXPECT_EQ(ask(*model, "rate"), "invalid") << "this rule has no reply";
  for (const char* wrong : {"{}", "{a: 2}", "{a: -1}", "{a: x}", "[1]"})
    EXPECT_FALSE(parse_scripted_model(fmt::format("rules: [{{choices: {}}}]", wrong), "s"))
        << wrong;
}

}  // namespace
}  // namespace personascope::llm
