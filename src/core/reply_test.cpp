#include "core/reply.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace personascope::core {
namespace {

Reply make_full_reply() {
  Reply reply;
  reply.text = "Größe: 4\n";
  reply.model = "m-1";
  reply.finish = FinishReason::Length;
  reply.usage = {10, 20, 5};
  reply.logprobs = {{{"4", -0.25}, {{"4", -0.25}, {"5", -1.5}}}, {{"\n", -2}, {}}};
  reply.choices = {{"yes", -0.5}, {"no", -3}};
  return reply;
}

// As it goes through a store: to text and back.
Result<Reply> round_trip(const Reply& reply) {
  return parse_reply(*parse_json(render_json(to_json(reply))));
}

TEST(Reply, ComesBackFromItsJsonAsItWas) {
  const auto back = round_trip(make_full_reply());
  ASSERT_TRUE(back);
  EXPECT_EQ(render_json(to_json(*back)), render_json(to_json(make_full_reply())));
  EXPECT_EQ(back->text, "Größe: 4\n");
  EXPECT_EQ(back->model, "m-1");
  EXPECT_EQ(back->finish, FinishReason::Length);
  EXPECT_EQ(back->usage.input_tokens, 10);
  EXPECT_EQ(back->usage.output_tokens, 20);
  EXPECT_EQ(back->usage.cached_input_tokens, 5);
  ASSERT_EQ(back->logprobs.size(), 2u);
  EXPECT_EQ(back->logprobs[0].chosen.token, "4");
  ASSERT_EQ(back->logprobs[0].top.size(), 2u);
  EXPECT_EQ(back->logprobs[0].top[1].logprob, -1.5);
  EXPECT_TRUE(back->logprobs[1].top.empty());
  ASSERT_EQ(back->choices.size(), 2u);
  EXPECT_EQ(back->choices[1].token, "no");
  EXPECT_EQ(back->choices[1].logprob, -3);
}

TEST(Reply, EveryFinishReasonComesBack) {
  for (const FinishReason reason : {FinishReason::Stop, FinishReason::Length, FinishReason::Refusal,
                                    FinishReason::ContentFilter, FinishReason::Other}) {
    Reply reply;
    reply.finish = reason;
    EXPECT_EQ(round_trip(reply)->finish, reason) << name_of(reason);
  }
}

TEST(Reply, WhatTheProviderDidNotCountStaysUnknown) {
  const auto back = round_trip(Reply{});
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->usage.input_tokens);
  EXPECT_FALSE(back->usage.output_tokens);
  EXPECT_FALSE(back->usage.cached_input_tokens);
}

TEST(Reply, AnImpossibleTokenDoesNotComeBackAsACertainOne) {
  Reply reply;
  const double minus_infinity = -std::numeric_limits<double>::infinity();
  TokenLogprobs token;
  token.chosen = {"a", minus_infinity};
  token.top.push_back({"b", std::numeric_limits<double>::quiet_NaN()});
  reply.logprobs.push_back(token);
  const auto back = round_trip(reply);
  ASSERT_TRUE(back);
  EXPECT_LT(back->logprobs[0].chosen.logprob, -1000);
  EXPECT_LT(back->logprobs[0].top[0].logprob, -1000);
  const auto without = parse_reply(*parse_json(R"({"text":"","logprobs":[{"token":"a"}]})"));
  EXPECT_LT(without->logprobs[0].chosen.logprob, -1000);
}

TEST(Reply, ATextThatIsNotUtf8CanBeStored) {
  Reply reply;
  reply.text = "a\xFF";
  EXPECT_EQ(round_trip(reply)->text, "a\xEF\xBF\xBD");
}

TEST(Reply, AStoredReplyWithoutTextIsUnparsable) {
  for (const char* text : {"{}", "[]", "null", "3", R"({"text": 1})", R"({"text": null})"}) {
    const auto reply = parse_reply(*parse_json(text));
    ASSERT_FALSE(reply) << text;
    EXPECT_EQ(reply.error().kind, ErrorKind::Unparsable);
  }
}

TEST(Reply, OddMembersOfAStoredReplyAreSkipped) {
  const auto reply = parse_reply(*parse_json(
      R"({"text": "x", "model": 1, "finish": "later", "usage": [], "logprobs": {"a": 1}})"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->model, "");
  EXPECT_EQ(reply->finish, FinishReason::Other);
  EXPECT_TRUE(reply->logprobs.empty());
}

TEST(Reply, IsEmptyIfItEndedWellWithoutAnyText) {
  Reply reply;
  for (const char* text : {"", " ", "\n\t "}) {
    reply.text = text;
    EXPECT_TRUE(is_empty(reply));
  }
  reply.finish = FinishReason::Length;
  EXPECT_FALSE(is_empty(reply)) << "it was cut off, as a model's that thought for too long";
  reply.finish = FinishReason::Refusal;
  EXPECT_FALSE(is_empty(reply));
  reply.finish = FinishReason::Stop;
  reply.choices = {{"", -1.0}};
  EXPECT_FALSE(is_empty(reply)) << "a reading of labels";
  reply.choices.clear();
  reply.text = ".";
  EXPECT_FALSE(is_empty(reply));
}

TEST(Reply, ARefusalIsAnOutcomeOfItsOwnHoweverItCame) {
  Reply reply;
  EXPECT_EQ(outcome_of(reply), Outcome::Ok);
  reply.finish = FinishReason::Length;
  EXPECT_EQ(outcome_of(reply), Outcome::Ok);
  for (const FinishReason reason : {FinishReason::Refusal, FinishReason::ContentFilter}) {
    reply.finish = reason;
    EXPECT_EQ(outcome_of(reply), Outcome::Refused);
  }
  EXPECT_EQ(outcome_of(fail(ErrorKind::Refused, "no")), Outcome::Refused);
  EXPECT_EQ(outcome_of(fail(ErrorKind::Timeout, "late")), Outcome::Failed);
  EXPECT_EQ(name_of(Outcome::Ok), "ok");
  EXPECT_EQ(name_of(Outcome::Refused), "refused");
  EXPECT_EQ(name_of(Outcome::Failed), "failed");
}

}  // namespace
}  // namespace personascope::core
