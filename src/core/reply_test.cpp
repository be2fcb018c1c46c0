#include "core/reply.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace personascope::core {
namespace {

TEST(Reply, IsWrittenWithEverythingThatIsKnown) {
  Reply reply;
  reply.text = "Größe: 4\n";
  reply.model = "m-1";
  reply.finish = FinishReason::Length;
  reply.usage = {10, 20, 5};
  reply.logprobs = {{{"4", -0.25}, {{"4", -0.25}, {"5", -1.5}}}, {{"\n", -2}, {}}};
  reply.choices = {{"yes", -0.5}, {"no", -3}};
  EXPECT_EQ(to_json(reply), parse_json(R"({
    "text": "Größe: 4\n", "model": "m-1", "finish": "length",
    "usage": {"input_tokens": 10, "output_tokens": 20, "cached_input_tokens": 5},
    "logprobs": [
      {"token": "4", "logprob": -0.25,
       "top": [{"token": "4", "logprob": -0.25}, {"token": "5", "logprob": -1.5}]},
      {"token": "\n", "logprob": -2.0}],
    "choices": [{"token": "yes", "logprob": -0.5}, {"token": "no", "logprob": -3.0}]
  })")
                                .value());
}

TEST(Reply, EveryFinishReasonIsFoundByItsName) {
  for (const FinishReason reason : {FinishReason::Stop, FinishReason::Length, FinishReason::Refusal,
                                    FinishReason::ContentFilter, FinishReason::Other})
    EXPECT_EQ(finish_reason_named(name_of(reason)), reason) << name_of(reason);
  EXPECT_EQ(finish_reason_named("later"), FinishReason::Other);
}

TEST(Reply, WhatTheProviderDidNotCountStaysUnknown) {
  EXPECT_TRUE(to_json(Reply{})["usage"].empty());
}

TEST(Reply, AnImpossibleTokenIsNotWrittenAsACertainOne) {
  Reply reply;
  TokenLogprobs token;
  token.chosen = {"a", -std::numeric_limits<double>::infinity()};
  token.top.push_back({"b", std::numeric_limits<double>::quiet_NaN()});
  reply.logprobs.push_back(token);
  const Json written = to_json(reply)["logprobs"][0];
  EXPECT_LT(written["logprob"], -1000);
  EXPECT_LT(written["top"][0]["logprob"], -1000);
}

TEST(Reply, IsEmptyIfItEndedWithoutAnyText) {
  Reply reply;
  for (const char* text : {"", " ", "\n\t "}) {
    reply.text = text;
    EXPECT_TRUE(is_empty(reply));
  }
  reply.finish = FinishReason::Length;
  EXPECT_TRUE(is_empty(reply)) << "it thought until its token limit";
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
  reply.text = "Hello.";
  EXPECT_EQ(outcome_of(reply), Outcome::Answered);
  reply.finish = FinishReason::Length;
  EXPECT_EQ(outcome_of(reply), Outcome::Answered);
  for (const FinishReason reason : {FinishReason::Refusal, FinishReason::ContentFilter}) {
    reply.finish = reason;
    EXPECT_EQ(outcome_of(reply), Outcome::Refused);
  }
  EXPECT_EQ(outcome_of(fail(ErrorKind::Refused, "no")), Outcome::Refused);
  EXPECT_EQ(outcome_of(fail(ErrorKind::Timeout, "late")), Outcome::Failed);
}

TEST(Reply, ATextOfBlanksIsEmptyButReadingsAreNot) {
  Reply reply;
  reply.text = " \n\t";
  EXPECT_EQ(outcome_of(reply), Outcome::Empty);
  reply.finish = FinishReason::Length;
  EXPECT_EQ(outcome_of(reply), Outcome::Empty) << "all tokens went into thinking";
  reply.finish = FinishReason::Stop;
  reply.choices = {{"yes", -0.5}};
  EXPECT_EQ(outcome_of(reply), Outcome::Answered);
  reply.choices.clear();
  reply.logprobs.resize(1);
  EXPECT_EQ(outcome_of(reply), Outcome::Answered);
}

}  // namespace
}  // namespace personascope::core
