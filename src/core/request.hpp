// A request to a model: messages, sampling, and the required form of the answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/message.hpp"

namespace personascope::core {

// A value that is not set is left to the provider's default and not sent.
struct Sampling {
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<std::int64_t> top_k;
  std::optional<double> min_p;
  std::optional<double> frequency_penalty;
  std::optional<double> presence_penalty;
  std::optional<std::int64_t> max_tokens;
  std::optional<std::int64_t> seed;
  std::vector<std::string> stop;
};

// How much a reasoning model may think before it answers. What is not set is left to the model.
struct Thinking {
  std::optional<std::string> effort;   // one of kEfforts
  std::optional<std::int64_t> budget;  // in tokens, besides those of the answer
};
inline constexpr std::array<std::string_view, 5> kEfforts{"none", "minimal", "low", "medium",
                                                          "high"};

// The answer must be JSON that fits `schema`.
struct OutputSchema {
  std::string name = "answer";
  Json schema;
};

struct Request {
  std::vector<Message> messages;
  Sampling sampling;
  Thinking thinking{};
  std::optional<OutputSchema> output;
  std::int64_t top_logprobs = 0;  // how many alternatives a token; 0 = no log-probabilities wanted

  // Instead of a generated answer, at most one of:
  std::vector<std::string> choices;         // how likely each of these begins the answer
  std::optional<std::string> continuation;  // how likely each token of this text is as the answer
};

// The request as JSON, in the form from which keys are computed: equal requests give equal JSON,
// and a value that is not set is absent.
Json to_json(const Request& request);

// Reads an OpenAI-style chat request (messages, temperature, top_p, top_k, min_p, max_tokens or
// max_completion_tokens, stop, seed, penalties, response_format, logprobs, top_logprobs,
// reasoning_effort) and our own thinking_budget, choices and continuation. Members named in
// `ignored` are skipped; any other unknown member fails as Invalid, naming it.
Result<Request> parse_request(const Json& value, const std::vector<std::string>& ignored);

// Whether equal requests may share one answer: only at temperature 0, or if nothing is
// sampled.
bool is_deterministic(const Request& request);

// Whether likelihoods are read instead of an answer being written.
inline bool is_reading(const Request& request) {
  return !request.choices.empty() || request.continuation;
}

}  // namespace personascope::core
