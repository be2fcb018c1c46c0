#include "llm/providers/http_model.hpp"

#include <gtest/gtest.h>

#include "http/loopback_server.hpp"
#include "llm/providers/openai.hpp"

namespace personascope::llm {
namespace {

TEST(HttpError, TellsTheKindByStatusAndWords) {
  struct Case {
    int status;
    const char* body;
    ErrorKind kind;
  };
  // clang-format off
  for (const Case& c : {
           Case{400, R"({"error": {"message": "bad temperature"}})", ErrorKind::Invalid},
           Case{400, R"({"error": {"message": "x", "code": "context_length_exceeded"}})", ErrorKind::ContextTooLong},
           Case{400, R"({"error": {"message": "prompt is too long: 300000 tokens"}})", ErrorKind::ContextTooLong},
           Case{413, "Input is too long for requested model.", ErrorKind::ContextTooLong},
           Case{400, R"({"error": {"code": "content_filter"}})", ErrorKind::Refused},
           Case{403, "flagged by moderation", ErrorKind::Refused},
           Case{401, "", ErrorKind::Unauthorized},
           Case{402, "pay", ErrorKind::Unauthorized},
           Case{403, "no", ErrorKind::Unauthorized},
           Case{407, "proxy", ErrorKind::Unauthorized},
           Case{404, R"({"error": {"message": "no such model"}})", ErrorKind::NotFound},
           Case{405, "", ErrorKind::NotFound},
           Case{410, "", ErrorKind::NotFound},
           Case{301, "", ErrorKind::NotFound},
           Case{408, "", ErrorKind::Transient},
           Case{409, "", ErrorKind::Transient},
           Case{429, "", ErrorKind::RateLimited},
           Case{429, R"({"error": {"code": "insufficient_quota"}})", ErrorKind::Unauthorized},
           Case{529, "overloaded", ErrorKind::RateLimited},
           Case{400, "ThrottlingException", ErrorKind::RateLimited},
           Case{500, "", ErrorKind::Transient},
           Case{503, "Too many requests", ErrorKind::RateLimited},
           Case{422, "x", ErrorKind::Invalid},
       })
    EXPECT_EQ(name_of(read_http_error(c.status, c.body).kind), name_of(c.kind)) << c.status << c.body;
  // clang-format on
}

TEST(HttpError, QuotesTheServersSentenceSafely) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"error": {"message": "no such model", "code": "x"}})", "HTTP 500: no such model (x)"},
      {R"({"error": "plain"})", "HTTP 500: plain"},
      {R"({"message": "m"})", "HTTP 500: m"},
      {R"({"detail": "d"})", "HTTP 500: d"},
      {"<html>", "HTTP 500: <html>"},
      {"", "HTTP 500"},
      {"a\x1b[31mb\nc", "HTTP 500: a\xEF\xBF\xBD[31mb\\nc"},
  };
  for (const auto& [body, message] : cases) EXPECT_EQ(read_http_error(500, body).message, message);
  EXPECT_LT(read_http_error(500, std::string(1'000'000, 'x')).message.size(), 500u);
  EXPECT_NE(read_http_error(302, "").message.find("base URL"), std::string::npos);
}

// One attempt against a server that answers as the test says.
struct Exchange {
  explicit Exchange(http::LoopbackReply reply)
      : server(http::LoopbackServer::start([this, reply](const http::LoopbackRequest& received) {
                 seen = received;
                 return reply;
               }).value()) {
    HttpModelSetup setup;
    setup.endpoint = {"openai", server.base_url(), "m", ""};
    setup.address = server.base_url();
    setup.authorize = make_key_header("Authorization", "Bearer ", Secret("sk-planted-key"));
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
