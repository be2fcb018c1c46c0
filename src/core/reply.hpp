// What came back from a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/outcome.hpp"

namespace personascope::core {

// Tokens as the provider counted them; nothing if it did not report them.
struct Usage {
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<std::int64_t> cached_input_tokens;
  std::optional<std::int64_t> thinking_tokens{};  // of the output tokens, those of the thinking
};

enum class FinishReason { Stop, Length, Refusal, ContentFilter, Other };

// "stop", "length", "refusal", "content_filter", "other".
std::string_view name_of(FinishReason reason);
// The reason with that name; Other for a name no reason has.
FinishReason finish_reason_named(std::string_view name);

struct TokenChoice {
  std::string token;
  double logprob = 0;
};

// One generated token with the likeliest alternatives at its place.
struct TokenLogprobs {
  TokenChoice chosen;
  std::vector<TokenChoice> top;
};

struct Reply {
  std::string text;
  std::string model;  // the provider's own id of what answered
  FinishReason finish = FinishReason::Stop;
  Usage usage;
  // One entry per generated token, or per token of the request's continuation.
  std::vector<TokenLogprobs> logprobs;
  // The request's choices in their order, each with the log-probability that the answer begins with
  // it. Their probabilities sum to the captured mass; `text` is the likeliest.
  std::vector<TokenChoice> choices{};
  std::string thinking{};  // what the model wrote before the answer; never part of it
};

inline bool is_refusal(const Reply& reply) {
  return reply.finish == FinishReason::Refusal || reply.finish == FinishReason::ContentFilter;
}

// Whether the model finished, or came to its token limit, without writing an answer: blank text,
// and no likelihoods either.
bool is_empty(const Reply& reply);

// Whether a call was cancelled because the run stops, so that it has no outcome yet.
inline bool is_unfinished(const Error& error) {
  return error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::BudgetExhausted;
}

// How an ask ended: Answered, Refused, Empty or Failed.
Outcome outcome_of(const Result<Reply>& result);

Json to_json(const Usage& usage);
Json to_json(const Reply& reply);

}  // namespace personascope::core
