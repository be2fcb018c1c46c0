#include "http/loopback_provider.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/text.hpp"
#include "http/testing/provider_exchange.hpp"

namespace personascope::http {
namespace {

TEST(LoopbackProvider, FailsTheFirstTriesOfARequest) {
  LoopbackProvider provider;
  const auto request =
      make_request(kOpenAi, make_body("[[status 429 retry-after=1 times=2]] [[say done]]"));
  const LoopbackReply first = provider.answer(request);
  EXPECT_EQ(first.status, 429);
  EXPECT_EQ(header_of(first, "Retry-After"), "1");
  EXPECT_EQ(provider.answer(request).status, 429);
  EXPECT_EQ(read(provider.answer(request))["choices"][0]["message"]["content"], "done");
  EXPECT_EQ(provider.statistics().most_asked, 3);
}

TEST(LoopbackProvider, BreaksRepliesAsAsked) {
  EXPECT_TRUE(ask(kOpenAi, "[[close]]").close_without_answer);
  EXPECT_TRUE(ask(kOpenAi, "[[endless]]").endless_body);
  const LoopbackReply cut = ask(kOpenAi, "[[cut]]");
  EXPECT_EQ(cut.cut_after_bytes, cut.body.size() / 2);
  EXPECT_TRUE(ask(kOpenAi, "[[stall]]").stall_after_bytes);
  EXPECT_EQ(ask(kOpenAi, "[[huge 1073741824]]").body_bytes, 1073741824);
  EXPECT_EQ(ask(kOpenAi, "[[delay 500]]").delay, milliseconds(500));
  EXPECT_FALSE(is_utf8(ask(kOpenAi, "[[invalid-utf8]]").body));
  EXPECT_FALSE(is_utf8(ask(kBedrock, "[[invalid-utf8]]").body));
  EXPECT_FALSE(parse_json(ask(kOpenAi, "[[not-json]]").body));
  EXPECT_EQ(ask(kOpenAi, "[[empty]]").body, "");
  EXPECT_EQ(header_of(ask(kOpenAi, "[[header x-a=0]]"), "x-a"), "0");
}

TEST(LoopbackProvider, ReportsErrorsInTheWordsAskedFor) {
  const LoopbackReply reported = ask(kOpenAi, "[[report 402]][[words no credit]]");
  EXPECT_EQ(reported.status, 200);
  EXPECT_EQ(read(reported), (Json{{"error", {{"code", 402}, {"message", "no credit"}}}}));
  const LoopbackReply failed = ask(kAnthropic, "[[status 400]][[words no credit]]");
  EXPECT_EQ(failed.status, 400);
  EXPECT_EQ(read(failed)["error"]["message"], "no credit");
  EXPECT_EQ(read(ask(kOpenAi, "[[break-off]]"))["choices"][0]["finish_reason"], "error");
  EXPECT_EQ(read(ask(kOpenAi, "[[blank]]"))["choices"][0]["message"]["content"], "");
}

TEST(LoopbackProvider, EchoesTheKeyItWasSent) {
  LoopbackProvider provider;
  const auto reply = provider.answer(
      make_request(kOpenAi, make_body("[[echo-key]]"), {{"authorization", "Bearer sk-secret"}}));
  EXPECT_EQ(reply.status, 400);
  EXPECT_NE(reply.body.find("sk-secret"), std::string::npos);
}

TEST(LoopbackProvider, ObeysDirectivesOfTheSystemTextAndTheLastMessageOnly) {
  Json body = make_body("[[status 500]]");
  body["messages"].push_back({{"role", "assistant"}, {"content", "well"}});
  body["messages"].push_back({{"role", "user"}, {"content", "go on"}});
  EXPECT_EQ(post(kOpenAi, body).status, 200);
  body["system"] = "[[status 503]]";
  EXPECT_EQ(post(kAnthropic, body).status, 503);
}

TEST(LoopbackProvider, AnswersBadRequestsWith400) {
  LoopbackProvider provider;
  for (const char* const body : {"", "nonsense", "[]", "{}", R"({"messages":[]})",
                                 R"({"messages":[{"role":"user","content":7}]})",
                                 R"({"messages":[{"role":"user","content":"[[status x]]"}]})"})
    for (const char* const target : {kOpenAi, kAnthropic, kBedrock})
      EXPECT_EQ(provider.answer({"POST", target, {}, body}).status, 400) << target << body;
  EXPECT_EQ(provider.answer({"POST", "/elsewhere", {}, "{}"}).status, 404);
  EXPECT_EQ(provider.answer({"GET", kOpenAi, {}, ""}).status, 404);
}

TEST(LoopbackProvider, WantsItsKeyAndItsModels) {
  LoopbackProvider provider({.key = "k", .models = {"m", "us.amazon.nova:0"}});
  const auto status = [&](const char* target, LoopbackHeaders headers, const char* model = "m") {
    Json body = make_body("hello");
    body["model"] = model;
    return provider.answer(make_request(target, body, std::move(headers))).status;
  };
  EXPECT_EQ(status(kOpenAi, {}), 401);
  EXPECT_EQ(status(kOpenAi, {{"authorization", "Bearer wrong"}}), 401);
  EXPECT_EQ(status(kOpenAi, {{"authorization", "Bearer k"}}), 200);
  EXPECT_EQ(status(kOpenAi, {{"api-key", "k"}}), 200);
  EXPECT_EQ(status(kOpenAi, {{"api-key", "k"}}, "unknown"), 404);
  EXPECT_EQ(status(kAnthropic, {{"x-api-key", "k"}}), 200);
  EXPECT_EQ(status(kBedrock, {}), 403);
  EXPECT_EQ(status(kBedrock, {{"authorization", "AWS4-HMAC-SHA256 Credential=k/2026/us"}}), 200);
  const Json models = read(provider.answer({"GET", "/v1/models", {}, ""}));
  EXPECT_EQ(models.at("data")[0].at("id"), "m");
}

TEST(LoopbackProvider, FailsEveryNthRequest) {
  LoopbackProvider provider({.fail_every = 3, .fail_status = 502});
  for (int i = 1; i <= 6; ++i)
    EXPECT_EQ(provider.answer(make_request(kOpenAi, make_body("x"))).status, i % 3 ? 200 : 502);
}

TEST(LoopbackProvider, LimitsRateAndConcurrency) {
  LoopbackProvider rated({.admission = {.rate_limit = 2}});
  const auto request = make_request(kOpenAi, make_body("x"));
  EXPECT_EQ(rated.answer(request).status, 200);
  EXPECT_EQ(rated.answer(request).status, 200);
  const LoopbackReply beyond = rated.answer(request);
  EXPECT_EQ(beyond.status, 429);
  EXPECT_EQ(header_of(beyond, "Retry-After"), "1");

  LoopbackProvider crowded({.admission = {.concurrency_limit = 2}});
  auto third = request;
  third.in_flight = 3;
  EXPECT_EQ(crowded.answer(third).status, 429);
  third.in_flight = 2;
  EXPECT_EQ(crowded.answer(third).status, 200);
}

TEST(RateBucket, RefillsWithTime) {
  loopback::RateBucket bucket(10, 1);
  const TimePoint start;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(bucket.take(1, start));
  EXPECT_NEAR(bucket.take(1, start)->count(), 0.1, 1e-9);
  EXPECT_FALSE(bucket.take(1, start + milliseconds(101)));
  EXPECT_TRUE(bucket.take(1, start + milliseconds(102)));
  EXPECT_FALSE(bucket.take(99, start + seconds(3))) << "full is enough for any";
}

TEST(LoopbackProvider, ReportsWhatItWasAsked) {
  LoopbackProvider provider;
  for (const char* const prompt : {"a", "b", "a", "[[close]]", "[[status 500]]"})
    provider.answer(make_request(kOpenAi, make_body(prompt)));
  EXPECT_EQ(read(provider.answer({"GET", "/stats", {}, ""})),
            Json({{"requests", 5},
                  {"distinct", 4},
                  {"most_asked", 2},
                  {"in_flight_peak", 1},
                  {"tokens", 0},
                  {"by_status", {{"0", 1}, {"200", 3}, {"500", 1}}}}));
  const Json last = read(provider.answer({"GET", "/requests?limit=2", {}, ""}));
  ASSERT_EQ(last.size(), 2);
  EXPECT_EQ(last[0], render_json(make_body("[[close]]")));
  EXPECT_EQ(provider.answer({"POST", "/reset", {}, ""}).status, 200);
  EXPECT_EQ(provider.statistics().requests, 0);
}

}  // namespace
}  // namespace personascope::http
