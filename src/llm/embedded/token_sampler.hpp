// Chooses the next token of one answer from the model's logits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"
#include "base/result.hpp"
#include "core/reply.hpp"
#include "core/request.hpp"
#include "llm/embedded/vocabulary.hpp"

namespace personascope::llm::embedded {

class TokenSampler {
 public:
  // `grammar`: in llama.cpp's notation, or empty. Fails as Invalid if llama.cpp cannot read it.
  static Result<TokenSampler> create(const Vocabulary& vocabulary, const core::Sampling& sampling,
                                     std::uint64_t seed, const std::string& grammar);

  // The next token; takes it as chosen. Fails as Invalid if the grammar allows none.
  Result<Token> choose(std::span<const float> logits);

 private:
  TokenSampler(const Vocabulary& vocabulary, const core::Sampling& sampling, std::uint64_t seed);
  Result<Token> choose_unguarded(std::span<const float> logits);
  Token draw(std::span<const float> logits);
  // Leaves only the likeliest, by top_k and top_p, with a weight.
  void keep_top(std::vector<float>& weights, double sum) const;
  bool is_allowed(Token token);

  const Vocabulary* vocabulary_;
  core::Sampling sampling_;
  Random random_;
  SamplerPtr grammar_;
  std::unordered_map<Token, int> counts_;  // how often each token was chosen, for the penalties
};

// The token with its log-probability and those of the `top` likeliest.
core::TokenLogprobs read_logprobs(const Vocabulary& vocabulary, std::span<const float> logits,
                                  Token token, std::int64_t top);

}  // namespace personascope::llm::embedded
