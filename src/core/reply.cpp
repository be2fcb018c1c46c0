#include "core/reply.hpp"

#include <cmath>

#include "base/text.hpp"

namespace personascope::core {
namespace {

// Of a token that cannot be, as providers write it: JSON has no minus infinity.
constexpr double kImpossibleLogprob = -9999;

Json to_json(const TokenChoice& choice) {
  return {{"token", choice.token},
          {"logprob", std::isfinite(choice.logprob) ? choice.logprob : kImpossibleLogprob}};
}

}  // namespace

std::string_view name_of(FinishReason reason) {
  switch (reason) {
    case FinishReason::Stop:
      return "stop";
    case FinishReason::Length:
      return "length";
    case FinishReason::Refusal:
      return "refusal";
    case FinishReason::ContentFilter:
      return "content_filter";
    case FinishReason::Other:
      return "other";
  }
  return "other";
}

FinishReason finish_reason_named(std::string_view name) {
  for (const FinishReason reason : {FinishReason::Stop, FinishReason::Length, FinishReason::Refusal,
                                    FinishReason::ContentFilter})
    if (name_of(reason) == name) return reason;
  return FinishReason::Other;
}

bool is_empty(const Reply& reply) {
  const bool is_over = reply.finish == FinishReason::Stop || reply.finish == FinishReason::Length;
  return is_over && reply.choices.empty() && reply.logprobs.empty() && trim(reply.text).empty();
}

Outcome outcome_of(const Result<Reply>& result) {
  if (!result)
    return result.error().kind == ErrorKind::Refused ? Outcome::Refused : Outcome::Failed;
  if (is_refusal(*result)) return Outcome::Refused;
  return is_empty(*result) ? Outcome::Empty : Outcome::Answered;
}

Json to_json(const Usage& usage) {
  Json value = Json::object();
  if (usage.input_tokens) value["input_tokens"] = *usage.input_tokens;
  if (usage.output_tokens) value["output_tokens"] = *usage.output_tokens;
  if (usage.cached_input_tokens) value["cached_input_tokens"] = *usage.cached_input_tokens;
  if (usage.thinking_tokens) value["thinking_tokens"] = *usage.thinking_tokens;
  return value;
}

Json to_json(const Reply& reply) {
  Json value = {{"text", reply.text},
                {"model", reply.model},
                {"finish", name_of(reply.finish)},
                {"usage", to_json(reply.usage)}};
  if (!reply.thinking.empty()) value["thinking"] = reply.thinking;
  if (!reply.logprobs.empty()) {
    Json tokens = Json::array();
    for (const TokenLogprobs& token : reply.logprobs) {
      Json entry = to_json(token.chosen);
      for (const TokenChoice& choice : token.top) entry["top"].push_back(to_json(choice));
      tokens.push_back(std::move(entry));
    }
    value["logprobs"] = std::move(tokens);
  }
  for (const TokenChoice& choice : reply.choices) value["choices"].push_back(to_json(choice));
  return value;
}

}  // namespace personascope::core
