#include "llm/estimate.hpp"

#include <gtest/gtest.h>

namespace personascope::llm {
namespace {

core::Request make_estimated_request(const std::string& text) {
  core::Request request;
  request.messages = {{core::Role::User, text}};
  return request;
}

TEST(Estimate, OverCountsEnglishALittle) {
  const std::string text = "The quick brown fox jumps over the lazy dog.";  // 10 tokens
  const std::int64_t tokens = estimate_size(make_estimated_request(text)).input_tokens;
  EXPECT_GE(tokens, 10);
  EXPECT_LE(tokens, 30);
}

TEST(Estimate, GrowsWithEverythingThatIsSent) {
  const core::Request plain = make_estimated_request("hello");
  core::Request longer = plain;
  longer.messages.push_back({core::Role::Assistant, ""});
  core::Request formed = plain;
  formed.output = core::OutputSchema{"a", {{"type", "object"}, {"required", {"one", "two"}}}};
  EXPECT_GT(estimate_size(longer).input_tokens, estimate_size(plain).input_tokens);
  EXPECT_GT(estimate_size(formed).input_tokens, estimate_size(plain).input_tokens);
}

TEST(Estimate, TakesTheOutputLimitFromTheRequest) {
  core::Request request = make_estimated_request("hello");
  EXPECT_EQ(estimate_size(request).output_tokens, 4096);
  request.sampling.max_tokens = 7;
  EXPECT_EQ(estimate_size(request).output_tokens, 7);
}

TEST(Estimate, WhatIsOnlyReadGivesNoOutput) {
  core::Request request = make_estimated_request("hello");
  request.continuation = "a text whose tokens are read, not written";
  EXPECT_EQ(estimate_size(request).output_tokens, 0);
  EXPECT_GT(estimate_size(request).input_tokens,
            estimate_size(make_estimated_request("hello")).input_tokens);
  request.continuation.reset();
  request.choices = {"yes", "no"};
  EXPECT_EQ(estimate_size(request).output_tokens, 0);
}

TEST(Estimate, SurvivesAnAbsurdLimit) {
  core::Request request = make_estimated_request("hello");
  request.sampling.max_tokens = INT64_MAX;
  const CallSize size = estimate_size(request);
  EXPECT_GT(size.input_tokens + size.output_tokens, 0);
  EXPECT_LT(likely_tokens(size), 2000);
}

}  // namespace
}  // namespace personascope::llm
