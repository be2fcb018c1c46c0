#include "llm/structured.hpp"

#include <gtest/gtest.h>

#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

using Bench = ChainBench;

const Json kSchema = parse_json(R"({"type":"object","properties":{"age":{"type":"integer"}},
                                    "required":["age"],"additionalProperties":false})")
                         .value();

core::Request make_structured_request(const Json& schema = kSchema) {
  core::Request request = Bench::make_request("How old?", 0.5);
  request.output = core::OutputSchema{"answer", schema};
  return request;
}

FakeModel::Behaviour say(std::vector<std::string> texts) {
  return [texts](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    const auto last = texts.size() - 1;
    Attempt attempt =
        FakeModel::make_attempt(texts[std::min(static_cast<std::size_t>(earlier), last)]);
    co_return attempt;
  };
}

Result<core::Reply> ask(Bench& bench, Model& model, core::Request request) {
  return sched::run_to_end(bench.loop(), ask_structured(bench.chain(), model, std::move(request),
                                                        Bench::make_draw("a")));
}

TEST(Structured, TellsTheSchemaInWordsWhereTheInterfaceHasNone) {
  FakeModel model;
  core::Request request = make_structured_request();
  const core::Request alone = make_first_request(model, request);
  EXPECT_FALSE(alone.output);
  ASSERT_EQ(alone.messages.size(), 2u);
  EXPECT_EQ(alone.messages[0].role, core::Role::System);
  EXPECT_NE(alone.messages[0].content.find(render_json(kSchema)), std::string::npos);

  request.messages.insert(request.messages.begin(), {core::Role::System, "You are Ada."});
  const core::Request joined = make_first_request(model, request);
  ASSERT_EQ(joined.messages.size(), 2u);
  EXPECT_TRUE(joined.messages[0].content.starts_with("You are Ada.\n\n"));
}

TEST(Structured, LeavesTheSchemaToAnInterfaceThatHoldsIt) {
  FakeModel model;
  model.features_.output_schema = true;
  EXPECT_TRUE(make_first_request(model, make_structured_request()).output);
  EXPECT_FALSE(make_first_request(model, make_structured_request({{"type", "array"}})).output)
      << "the interfaces know objects only";
  EXPECT_EQ(make_first_request(model, Bench::make_request("plain")).messages.size(), 1u);
}

TEST(Structured, TellsInWordsWhatAnInterfaceWouldWriteInAnotherOrder) {
  FakeModel model;
  model.features_.output_schema = true;
  const Json schema = parse_json(R"({"type": "object", "required": ["thoughts", "answer"],
      "properties": {"thoughts": {"type": "string"}, "answer": {"type": "string"}}})")
                          .value();
  const core::Request request = make_structured_request(schema);
  EXPECT_TRUE(make_first_request(model, request).output);
  EXPECT_FALSE(make_first_request(model, request, MemberOrder::AsRequired).output);
  EXPECT_TRUE(make_first_request(model, make_structured_request(), MemberOrder::AsRequired).output);
  model.features_.local_slots = 1;  // its grammar goes by "required"
  EXPECT_TRUE(make_first_request(model, request, MemberOrder::AsRequired).output);
}

TEST(Structured, LeavesAnySchemaToTheEmbeddedModelsGrammar) {
  FakeModel model;
  model.features_.output_schema = true;
  model.features_.local_slots = 1;
  for (const char* schema : {R"({"enum": ["yes", "no"]})", R"({"type": "array"})", "{}",
                             R"({"anyOf": [{"type": "integer"}]})", R"({"$ref": "#/$defs/a"})"})
    EXPECT_TRUE(make_first_request(model, make_structured_request(*parse_json(schema))).output)
        << schema;
}

TEST(Structured, FindsTheJsonInWhatModelsWrite) {
  const std::pair<const char*, const char*> good[] = {
      {R"({"a":1})", R"({"a":1})"},
      {"  [1,2]\n", "[1,2]"},
      {"```json\n{\"a\": 1}\n```", R"({"a":1})"},
      {"Sure! Here it is: {\"a\": {\"b\": []}} Anything else?", R"({"a":{"b":[]}})"},
      {"As [asked]: {\"a\": 1}", R"({"a":1})"},
      {"7", "7"},
      {"\"text\"", "\"text\""},
  };
  for (const auto& [text, json] : good) {
    const auto found = find_json(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(render_json(*found), json);
  }
  for (const char* text : {"", "no", "{", "}{", "{\"a\":}", "] [", "{'a': 1}"})
    EXPECT_EQ(find_json(text).error().kind, ErrorKind::Unparsable) << text;
}

TEST(Structured, GivesTheAnswerAsCompactJson) {
  Bench bench;
  FakeModel model;
  model.behave_ = say({"```json\n{ \"age\": 36 }\n```"});
  EXPECT_EQ(ask(bench, model, make_structured_request())->text, R"({"age":36})");
  EXPECT_EQ(model.asked_, 1);
}

TEST(Structured, HasABadAnswerMendedAndCountsBothTries) {
  Bench bench;
  FakeModel model;
  model.behave_ = say({R"({"age":"old"})", R"({"age":36})"});
  const auto reply = ask(bench, model, make_structured_request());
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, R"({"age":36})");
  EXPECT_EQ(reply->usage.input_tokens, 20);
  EXPECT_EQ(reply->usage.output_tokens, 10);
  ASSERT_EQ(model.asked_, 2);
  const auto& messages = model.requests_[1].messages;
  EXPECT_EQ(messages[messages.size() - 2].content, R"({"age":"old"})");
  EXPECT_NE(messages.back().content.find("\"age\" must be of type \"integer\""), std::string::npos);

  bench.begin();  // each try is a call of its own, so a resumed run asks none again
  EXPECT_EQ(ask(bench, model, make_structured_request())->text, R"({"age":36})");
  EXPECT_EQ(model.asked_, 2);
}

TEST(Structured, AsksAModelWithoutDialoguesAgainInOneMessage) {
  Bench bench;
  FakeModel model;
  model.features_.dialogue = false;
  model.behave_ = say({"I would rather chat.", "No.", R"({"age":36})"});
  const auto reply = ask(bench, model, make_structured_request());
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, R"({"age":36})");
  ASSERT_EQ(model.asked_, 3);
  EXPECT_EQ(model.requests_[2].messages.size(), model.requests_[0].messages.size());
  EXPECT_NE(model.requests_[1].messages.back().content.find("did not fit the schema"),
            std::string::npos);
}

TEST(Structured, GivesUpAfterThreeTries) {
  Bench bench;
  FakeModel model;
  model.behave_ = say({"I would rather chat."});
  const auto reply = ask(bench, model, make_structured_request());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Unparsable);
  EXPECT_EQ(reply.error().message,
            "no answer in the required form in 3 tries: the answer is not JSON");
  EXPECT_EQ(model.asked_, 3);
}

TEST(Structured, SaysThatAnAnswerWasCut) {
  Bench bench;
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int) -> Task<Attempt> {
    Attempt attempt = FakeModel::make_attempt(R"({"age": )");
    attempt.reply->finish = core::FinishReason::Length;
    co_return attempt;
  };
  const auto reply = ask(bench, model, make_structured_request());
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().message.find("cut off at its token limit (max_tokens)"),
            std::string::npos)
      << reply.error().message;
}

TEST(Structured, PassesRefusalsAndErrorsOn) {
  Bench bench;
  FakeModel model;
  model.behave_ = [](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    Attempt attempt = FakeModel::make_attempt("No.");
    attempt.reply->finish = core::FinishReason::Refusal;
    if (earlier == 1) attempt = FakeModel::make_failure(ErrorKind::ContextTooLong);
    co_return attempt;
  };
  const auto refused = ask(bench, model, make_structured_request());
  ASSERT_TRUE(refused);
  EXPECT_TRUE(core::is_refusal(*refused));
  EXPECT_EQ(refused->text, "No.");
  EXPECT_EQ(ask(bench, model, make_structured_request({{"type", "array"}})).error().kind,
            ErrorKind::ContextTooLong);
}

}  // namespace
}  // namespace personascope::llm
