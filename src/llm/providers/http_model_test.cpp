#include "llm/providers/http_model.hpp"

#include <gtest/gtest.h>

#include "http/loopback_server.hpp"
#include "llm/providers/openai.hpp"

namespace personascope::llm {
namespace {

// One attempt against a server that answers as the test says.
struct Exchange {
  explicit Exchange(http::LoopbackReply reply, const char* key = "sk-planted-key")
      : server(http::LoopbackServer::start([this, reply](const http::LoopbackRequest& received) {
                 seen = received;
                 return reply;
               }).value()) {
    HttpModelSetup setup;
    setup.endpoint = {"openai", server.base_url(), "m", ""};
    setup.address = server.base_url();
    setup.authorize = make_key_header("Authorization", "Bearer ", Secret(key));
    setup.headers = {{"x-extra", "1"}};
    setup.timeouts.total = milliseconds(10'000);
    model = make_http_model(client, make_openai_wire({}), std::move(setup));
  }

  Attempt ask(Delivery delivery = {}) {
    request.messages = {{core::Role::User, "Hello"}};
    Attempt attempt = sched::run_to_end(loop, model->ask(request, std::move(delivery)));
    server.stop();
    return attempt;
  }

  http::LoopbackRequest seen;
  http::LoopbackServer server;
  sched::Loop loop;
  http::Client client{loop};
  std::unique_ptr<Model> model;
  core::Request request;
};

constexpr const char* kGood =
    R"({"model":"m-1","choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]})";

TEST(HttpModel, SendsTheRequestWithItsKey) {
  Exchange exchange({.body = kGood});
  EXPECT_EQ(exchange.ask().reply->text, "Hi");
  EXPECT_EQ(exchange.seen.method, "POST");
  EXPECT_EQ(exchange.seen.target, "/chat/completions");
  EXPECT_EQ(*exchange.seen.find_header("authorization"), "Bearer sk-planted-key");
  EXPECT_EQ(*exchange.seen.find_header("x-extra"), "1");
  EXPECT_EQ(*exchange.seen.find_header("content-type"), "application/json");
  EXPECT_EQ(exchange.seen.body, R"({"messages":[{"content":"Hello","role":"user"}],"model":"m"})");
}

TEST(HttpModel, NeverQuotesTheKeyThatAServerEchoes) {
  Exchange exchange({.status = 400, .body = R"({"error": "wrong key Bearer sk-planted-key"})"});
  const Attempt attempt = exchange.ask();
  EXPECT_EQ(attempt.reply.error().message, "HTTP 400: wrong key Bearer [redacted]");
}

TEST(HttpModel, TakesBrokenBodiesForFaultsThatMayPass) {
  for (const char* body : {"", "nonsense", "{", "[]", "\xff\xfe"}) {
    Exchange exchange({.body = body});
    EXPECT_EQ(exchange.ask().reply.error().kind, ErrorKind::Transient) << body;
  }
}

TEST(HttpModel, NamesTheAddressWhereSomethingElseAnswers) {
  struct Case {
    const char* body;
    const char* told;
  };
  for (const bool streams : {false, true})
    for (const Case& c : {
             Case{"", "sent an empty answer (HTTP 200); check the base URL"},
             Case{"<!DOCTYPE html><title>Log in</title>",
                  "answered with a web page instead of JSON; check the base URL: "
                  "<!DOCTYPE html><title>Log in</title>"},
             Case{"OK\x1b[2J", "is not valid JSON at character 1: OK"},
         }) {
      Exchange exchange({.headers = {{"Content-Type", "text/html"}}, .body = c.body});
      Delivery delivery;
      if (streams) delivery.on_text = [](std::string_view) {};
      const Attempt attempt = exchange.ask(std::move(delivery));
      ASSERT_FALSE(attempt.reply) << c.body;
      const std::string& message = attempt.reply.error().message;
      EXPECT_NE(message.find(c.told), std::string::npos) << message;
      EXPECT_NE(message.find(exchange.model->endpoint().base_url + "/chat/completions"),
                std::string::npos)
          << message;
      EXPECT_EQ(message.find('\x1b'), std::string::npos);
    }
}

TEST(HttpModel, AKeyThatCannotBeSentIsNoAnswerOfTheServers) {
  Exchange exchange({.body = kGood}, "sk-with-a-line-end\n");
  const Attempt attempt = exchange.ask();
  ASSERT_FALSE(attempt.reply);
  EXPECT_EQ(attempt.reply.error().kind, ErrorKind::Misconfigured);
  EXPECT_EQ(attempt.reply.error().message.find("sk-with"), std::string::npos);
  EXPECT_EQ(exchange.seen.method, "") << "nothing was sent";
}

TEST(HttpModel, ReplacesBytesThatAreNotUtf8) {
  Exchange exchange(
      {.body = "{\"choices\":[{\"message\":{\"content\":\"a\xff\"},\"finish_reason\":\"stop\"}]}"});
  EXPECT_EQ(exchange.ask().reply->text, "a\xEF\xBF\xBD");
}

TEST(HttpModel, HandsOnTheServersWishesForPace) {
  Exchange exchange({.status = 429, .headers = {{"Retry-After", "3"}}, .body = "slow down"});
  const Attempt attempt = exchange.ask();
  EXPECT_EQ(attempt.reply.error().kind, ErrorKind::RateLimited);
  EXPECT_EQ(attempt.pace.retry_after, milliseconds(3000));
}

TEST(HttpModel, StreamsTheTextAsItComes) {
  http::LoopbackReply reply{.headers = {{"Content-Type", "text/event-stream"}}};
  for (const char* data :
       {R"({"model":"m-1","choices":[{"delta":{"content":"Hel"}}]})",
        R"({"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]})", "[DONE]"})
    reply.chunks.push_back({fmt::format("data: {}\n\n", data), milliseconds(5)});
  Exchange exchange(std::move(reply));
  std::vector<std::string> pieces;
  const Attempt attempt =
      exchange.ask({.on_text = [&](std::string_view piece) { pieces.emplace_back(piece); }});
  ASSERT_TRUE(attempt.reply);
  EXPECT_EQ(attempt.reply->text, "Hello");
  EXPECT_EQ(attempt.reply->model, "m-1");
  EXPECT_EQ(pieces, (std::vector<std::string>{"Hel", "lo"}));
}

TEST(HttpModel, TakesAWholeReplyFromAServerThatCannotStream) {
  Exchange exchange({.headers = {{"Content-Type", "application/json"}}, .body = kGood});
  std::string text;
  const Attempt attempt = exchange.ask({.on_text = [&](std::string_view piece) { text += piece; }});
  ASSERT_TRUE(attempt.reply);
  EXPECT_EQ(text, "Hi");
}

TEST(HttpModel, ReportsAStreamThatIsCutOrBroken) {
  for (const char* bytes :
       {"", "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n", "data: {\n\n"}) {
    Exchange exchange({.headers = {{"Content-Type", "text/event-stream"}}, .body = bytes});
    const Attempt attempt = exchange.ask({.on_text = [](std::string_view) {}});
    ASSERT_FALSE(attempt.reply) << bytes;
    EXPECT_EQ(attempt.reply.error().kind, ErrorKind::Transient);
  }
}

TEST(HttpModel, EndsWhenTheCallsTimeIsUp) {
  Exchange exchange({.body = kGood, .delay = milliseconds(5'000)});
  const TimePoint start = SteadyClock::now();
  Delivery delivery;
  delivery.time_left = milliseconds(50);
  EXPECT_EQ(exchange.ask(std::move(delivery)).reply.error().kind, ErrorKind::Timeout);
  EXPECT_LT(SteadyClock::now() - start, seconds(4));
}

TEST(HttpModel, TakesTheModelThatWasAskedWhereTheServerDoesNotSayWhatAnswered) {
  Exchange exchange(
      {.body = R"({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]})"});
  const Attempt attempt = exchange.ask();
  ASSERT_TRUE(attempt.reply);
  EXPECT_EQ(attempt.reply->model, exchange.model->endpoint().model);
  EXPECT_NE(attempt.reply->model, "");
}

TEST(HttpModel, SendsNothingThatItsApiCannotSay) {
  Exchange exchange({.body = kGood});
  exchange.request.sampling.top_k = 5;
  EXPECT_EQ(exchange.ask().reply.error().kind, ErrorKind::Unsupported);
  EXPECT_EQ(exchange.seen.method, "");
}

}  // namespace
}  // namespace personascope::llm
