#include "llm/providers/vllm.hpp"

#include <gtest/gtest.h>

#include "http/loopback_server.hpp"
#include "llm/providers/openai.hpp"

namespace personascope::llm {
namespace {

// As vLLM 0.32 answered: prompt 0 1, text 43 350.
constexpr const char* kScores = R"({"model": "tiny", "choices": [{"text": "x", "prompt_logprobs": [
  null,
  {"1": {"logprob": -8.1, "rank": 9, "decoded_token": "<s>"}},
  {"43": {"logprob": -9.25, "rank": 200, "decoded_token": "I"}},
  {"350": {"logprob": -0.5, "rank": 2, "decoded_token": " look"}, "7": {"logprob": -0.1}}]}],
  "usage": {"prompt_tokens": 4, "completion_tokens": 1, "total_tokens": 5}})";

Json scores_with(const std::string& pointer, const Json& value) {
  Json body = parse_json(kScores).value();
  body[Json::json_pointer("/choices/0/prompt_logprobs" + pointer)] = value;
  return body;
}

Result<core::Reply> read(const Json& body) {
  return read_vllm_scores(body, {0, 1, 43, 350}, 2, "I look");
}

TEST(VllmScores, AreThoseOfTheTextsTokens) {
  const auto reply = read(parse_json(kScores).value());
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "I look");
  EXPECT_EQ(reply->model, "tiny");
  EXPECT_EQ(reply->usage.input_tokens, 4);
  ASSERT_EQ(reply->logprobs.size(), 2u);
  EXPECT_EQ(reply->logprobs[0].chosen.token, "I");
  EXPECT_EQ(reply->logprobs[0].chosen.logprob, -9.25);
  EXPECT_EQ(reply->logprobs[1].chosen.token, " look");
  EXPECT_EQ(reply->logprobs[1].chosen.logprob, -0.5) << "the sent token's, not the likeliest's";
}

TEST(VllmScores, FailWithTheReason) {
  struct Case {
    Json body;
    ErrorKind kind;
    const char* message;
  };
  const Json null;
  // clang-format off
  const Case cases[] = {
      {Json::object(), ErrorKind::Unsupported, "gave no prompt_logprobs"},
      {Json::array(), ErrorKind::Unsupported, "gave no prompt_logprobs"},
      {{{"choices", Json::array()}}, ErrorKind::Unsupported, "gave no prompt_logprobs"},
      {scores_with("", null), ErrorKind::Unsupported, "is it vLLM?"},
      {scores_with("", "x"), ErrorKind::Unsupported, "is it vLLM?"},
      {scores_with("", Json::array()), ErrorKind::Unparsable, "was sent 4 tokens and scored 0"},
      {scores_with("/4", null), ErrorKind::Unparsable, "was sent 4 tokens and scored 5"},
      {scores_with("/2", null), ErrorKind::Unparsable, "did not score token 1 of the text's 2"},
      {scores_with("/3", {{"7", {{"logprob", -1}}}}), ErrorKind::Unparsable, "did not score token 2 of the text's 2"},
      {scores_with("/3/350", 5), ErrorKind::Unparsable, "no log-probability for token 2"},
      {scores_with("/3/350/logprob", null), ErrorKind::Unparsable, "no log-probability for token 2"},
      {scores_with("/3/350/logprob", 0.5), ErrorKind::Unparsable, "no log-probability for token 2"},
      {scores_with("/3/350/logprob", -9999.0), ErrorKind::Invalid, "token 2 of the text's 2 is impossible"},
  };
  // clang-format on
  for (const Case& c : cases) {
    const auto reply = read(c.body);
    ASSERT_FALSE(reply) << c.message;
    EXPECT_EQ(name_of(reply.error().kind), name_of(c.kind)) << c.message;
    EXPECT_NE(reply.error().message.find(c.message), std::string::npos) << reply.error().message;
  }
}

TEST(VllmScores, GiveTokensTheirBlanksBack) {
  const auto tokens_of = [](const std::string& text, const std::vector<std::string>& pieces) {
    Json body = {{"choices", {{{"prompt_logprobs", {nullptr}}}}}};
    std::vector<std::int64_t> tokens{0};
    for (const std::string& piece : pieces) {
      tokens.push_back(std::ssize(tokens));
      body["choices"][0]["prompt_logprobs"].push_back(
          {{std::to_string(tokens.back()), {{"logprob", -1}, {"decoded_token", piece}}}});
    }
    const core::Reply reply = read_vllm_scores(body, tokens, pieces.size(), text).value();
    std::vector<std::string> placed;
    for (const auto& token : reply.logprobs) placed.push_back(token.chosen.token);
    return placed;
  };
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(tokens_of("I look", {"I", "look"}), (Pieces{"I", " look"}));
  EXPECT_EQ(tokens_of("a  a\na", {"a", "a", "a"}), (Pieces{"a", "  a", "\na"}));
  // A character in several tokens: whole with the last of them, or never.
  EXPECT_EQ(tokens_of("蜂 hums", {"", "", "蜂", "hums"}), (Pieces{"", "", "蜂", " hums"}));
  EXPECT_EQ(tokens_of("蜂 hums", {"\uFFFD", "\uFFFD", " hums"}),
            (Pieces{"\uFFFD", "\uFFFD", " hums"}));
  EXPECT_EQ(tokens_of("so 蜂 hums low", {"so", "\uFFFD", "\uFFFD", "hums", "low"}),
            (Pieces{"so", "\uFFFD", "\uFFFD", " hums", " low"}));
  EXPECT_EQ(tokens_of("a b", {"other", "b"}), (Pieces{"other", "b"})) << "nothing is searched for";
}

TEST(VllmTokens, AreNumbers) {
  const auto tokens =
      read_vllm_tokens(parse_json(R"({"tokens": [5, 0], "max_model_len": 8})").value());
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->ids, (std::vector<std::int64_t>{5, 0}));
  EXPECT_EQ(tokens->longest, 8);
  for (const char* body :
       {"{}", "[]", R"({"tokens": 5})", R"({"tokens": ["a"]})", R"({"tokens": [-1]})",
        R"({"tokens": [18446744073709551615]})", R"({"tokens": [1.5]})", R"({"tokens": [null]})"})
    EXPECT_EQ(read_vllm_tokens(parse_json(body).value()).error().kind, ErrorKind::Unparsable)
        << body;
}

// A server with two paths, whose answers a test may change.
struct VllmExchange {
  explicit VllmExchange(std::string_view suffix = "/v1") {
    HttpModelSetup setup;
    setup.endpoint = {"vllm", server.base_url(), "tiny", ""};
    setup.address = server.base_url() + std::string(suffix);
    setup.features.likelihood = true;
    setup.authorize = make_key_header("Authorization", "Bearer ", Secret("sk-planted-key"));
    model = make_vllm_model(client, make_openai_wire({}), std::move(setup));
    request.messages = {{core::Role::User, "Hello"}};
    request.continuation = "I look";
  }

  http::LoopbackReply answer(const http::LoopbackRequest& received) {
    targets.push_back(received.target);
    bodies.push_back(parse_json(received.body).value());
    EXPECT_EQ(*received.find_header("authorization"), "Bearer sk-planted-key");
    if (received.target.ends_with("/tokenize"))
      return bodies.back().contains("messages") ? prompt : text;
    return scores;
  }

  Result<core::Reply> ask(Delivery delivery = {}) {
    Attempt attempt = sched::run_to_end(loop, model->ask(request, std::move(delivery)));
    server.stop();
    return std::move(attempt.reply);
  }

  http::LoopbackReply prompt{.body = R"({"tokens": [0, 1], "max_model_len": 5})"};
  http::LoopbackReply text{.body = R"({"tokens": [43, 350], "max_model_len": 5})"};
  http::LoopbackReply scores{.body = kScores};
  std::vector<std::string> targets;
  std::vector<Json> bodies;
  http::LoopbackServer server = http::LoopbackServer::start([this](const auto& received) {
                                  return answer(received);
                                }).value();
  sched::Loop loop;
  http::Client client{loop};
  std::unique_ptr<Model> model;
  core::Request request;
};

TEST(VllmModel, ReadsATextInThreeSteps) {
  VllmExchange exchange;
  std::string streamed;
  Delivery delivery;
  delivery.on_text = [&](std::string_view piece) { streamed += piece; };
  const auto reply = exchange.ask(std::move(delivery));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->logprobs.size(), 2u);
  EXPECT_EQ(streamed, "I look");
  EXPECT_EQ(exchange.targets,
            (std::vector<std::string>{"/tokenize", "/tokenize", "/v1/completions"}));
  EXPECT_EQ(render_json(exchange.bodies[0]),
            R"({"add_generation_prompt":true,"continue_final_message":false,)"
            R"("messages":[{"content":"Hello","role":"user"}],"model":"tiny"})");
  EXPECT_EQ(render_json(exchange.bodies[1]),
            R"({"add_special_tokens":false,"model":"tiny","prompt":"I look"})");
  EXPECT_EQ(render_json(exchange.bodies[2]),
            R"({"max_tokens":1,"model":"tiny","prompt":[0,1,43,350],"prompt_logprobs":0,)"
            R"("temperature":0})");
}

TEST(VllmModel, GoesOnFromAnAssistantsMessage) {
  VllmExchange exchange("");
  exchange.request.messages.push_back({core::Role::Assistant, "Well,"});
  ASSERT_TRUE(exchange.ask());
  EXPECT_EQ(exchange.bodies[0]["add_generation_prompt"], false);
  EXPECT_EQ(exchange.bodies[0]["continue_final_message"], true);
  EXPECT_EQ(exchange.targets[2], "/completions");
}

TEST(VllmModel, AsksOverTheChatApi) {
  VllmExchange exchange;
  exchange.request.continuation.reset();
  exchange.scores.body =
      R"({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]})";
  const auto reply = exchange.ask();
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "Hi");
  EXPECT_EQ(exchange.targets, std::vector<std::string>{"/v1/chat/completions"});
}

TEST(VllmModel, SaysWhyATextCannotBeRead) {
  struct Case {
    http::LoopbackReply VllmExchange::* step;
    http::LoopbackReply reply;
    ErrorKind kind;
    const char* message;
    std::size_t sent;
  };
  // clang-format off
  const Case cases[] = {
      {&VllmExchange::prompt, {.status = 404, .body = R"({"detail":"Not Found"})"}, ErrorKind::NotFound,
       "reading a text takes vLLM's /tokenize, which is looked for beside the base URL's /v1: HTTP 404: Not Found", 1},
      {&VllmExchange::prompt, {.status = 401, .body = "sk-planted-key"}, ErrorKind::Unauthorized, "HTTP 401: ", 1},
      {&VllmExchange::prompt, {.body = "{}"}, ErrorKind::Unparsable, "/tokenize holds no tokens", 1},
      {&VllmExchange::prompt, {.body = "<html>"}, ErrorKind::Transient, "/tokenize answered with a web page instead of JSON", 1},
      {&VllmExchange::prompt, {.body = R"({"error": {"code": 402, "message": "pay"}})"}, ErrorKind::Unauthorized, "the server reports error 402: pay", 1},
      {&VllmExchange::prompt, {.body = R"({"tokens": []})"}, ErrorKind::Unparsable, "found nothing in the messages", 1},
      {&VllmExchange::text, {.status = 503}, ErrorKind::Transient, "HTTP 503", 2},
      {&VllmExchange::text, {.body = R"({"tokens": []})"}, ErrorKind::Unparsable, "a text of 6 bytes into 0 tokens", 2},
      {&VllmExchange::prompt, {.body = R"({"tokens": [0, 1], "max_model_len": 4})"}, ErrorKind::ContextTooLong,
       "prompt and text have 4 tokens; with the one it adds, the server's model holds at most 4", 2},
      {&VllmExchange::scores, {.body = R"({"choices": [{"text": "x"}]})"}, ErrorKind::Unsupported, "gave no prompt_logprobs", 3},
      {&VllmExchange::scores, {.status = 429}, ErrorKind::RateLimited, "HTTP 429", 3},
  };
  // clang-format on
  for (const Case& c : cases) {
    VllmExchange exchange;
    exchange.*c.step = c.reply;
    const auto reply = exchange.ask();
    ASSERT_FALSE(reply) << c.message;
    EXPECT_EQ(name_of(reply.error().kind), name_of(c.kind)) << reply.error().message;
    EXPECT_NE(reply.error().message.find(c.message), std::string::npos) << reply.error().message;
    EXPECT_EQ(reply.error().message.find("planted"), std::string::npos) << reply.error().message;
    EXPECT_EQ(exchange.targets.size(), c.sent) << c.message;
  }
}

TEST(VllmModel, EndsInTheTimeThatIsLeft) {
  VllmExchange exchange;
  exchange.scores.delay = milliseconds(5'000);
  const auto begin = SteadyClock::now();
  Delivery delivery;
  delivery.time_left = milliseconds(300);
  const auto reply = exchange.ask(std::move(delivery));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Timeout);
  EXPECT_LT(SteadyClock::now() - begin, milliseconds(4'000));
}

}  // namespace
}  // namespace personascope::llm
