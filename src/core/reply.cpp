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

TokenChoice read_choice(const Json& value) {
  return {find_text(value, "token").value_or(""),
          find_number(value, "logprob").value_or(kImpossibleLogprob)};
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
  return reply.finish == FinishReason::Stop && trim(reply.text).empty() && reply.choices.empty();
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Ok:
      return "ok";
    case Outcome::Refused:
      return "refused";
    case Outcome::Failed:
      return "failed";
  }
  return "failed";
}

Outcome outcome_of(const Result<Reply>& result) {
  if (!result)
    return result.error().kind == ErrorKind::Refused ? Outcome::Refused : Outcome::Failed;
  return is_refusal(*result) ? Outcome::Refused : Outcome::Ok;
}

Json to_json(const Usage& usage) {
  Json value = Json::object();
  if (usage.input_tokens) value["input_tokens"] = *usage.input_tokens;
  if (usage.output_tokens) value["output_tokens"] = *usage.output_tokens;
  if (usage.cached_input_tokens) value["cached_input_tokens"] = *usage.cached_input_tokens;
  return value;
}

Json to_json(const Reply& reply) {
  Json value = {{"text", reply.text},
                {"model", reply.model},
                {"finish", name_of(reply.finish)},
                {"usage", to_json(reply.usage)}};
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

Result<Reply> parse_reply(const Json& value) {
  const auto text = find_text(value, "text");
  if (!text) return fail(ErrorKind::Unparsable, "a stored reply has no text");
  Reply reply;
  reply.text = *text;
  reply.model = find_text(value, "model").value_or("");
  reply.finish = finish_reason_named(find_text(value, "finish").value_or("other"));
  if (const Json* usage = find_member(value, "usage")) {
    reply.usage.input_tokens = find_integer(*usage, "input_tokens");
    reply.usage.output_tokens = find_integer(*usage, "output_tokens");
    reply.usage.cached_input_tokens = find_integer(*usage, "cached_input_tokens");
  }
  if (const Json* tokens = find_member(value, "logprobs"); tokens && tokens->is_array()) {
    for (const Json& entry : *tokens) {
      TokenLogprobs token{read_choice(entry), {}};
      if (const Json* top = find_member(entry, "top"); top && top->is_array())
        for (const Json& choice : *top) token.top.push_back(read_choice(choice));
      reply.logprobs.push_back(std::move(token));
    }
  }
  if (const Json* choices = find_member(value, "choices"); choices && choices->is_array())
    for (const Json& choice : *choices) reply.choices.push_back(read_choice(choice));
  return reply;
}

}  // namespace personascope::core
