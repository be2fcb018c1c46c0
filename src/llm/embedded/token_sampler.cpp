#include "llm/embedded/token_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>

#include "base/text.hpp"
#include "llm/embedded/exponentials.hpp"

namespace personascope::llm::embedded {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

}  // namespace

TokenSampler::TokenSampler(const Vocabulary& vocabulary, const core::Sampling& sampling,
                           std::uint64_t seed)
    : vocabulary_(&vocabulary), sampling_(sampling), random_(seed, "token") {}

Result<TokenSampler> TokenSampler::create(const Vocabulary& vocabulary,
                                          const core::Sampling& sampling, std::uint64_t seed,
                                          const std::string& grammar) {
  TokenSampler sampler(vocabulary, sampling, seed);
  if (grammar.empty()) return sampler;
  sampler.grammar_.reset(llama_sampler_init_grammar(vocabulary.handle(), grammar.c_str(), "root"));
  if (!sampler.grammar_)
    return fail(ErrorKind::Invalid, "the schema gives a grammar that llama.cpp cannot use");
  return sampler;
}

Result<Token> TokenSampler::choose(std::span<const float> logits) {
  try {
    return choose_unguarded(logits);
  } catch (const std::exception& thrown) {  // llama.cpp's grammar throws
    return fail(ErrorKind::Invalid, "the schema's grammar failed: {}", printable(thrown.what()));
  }
}

Result<Token> TokenSampler::choose_unguarded(std::span<const float> logits) {
  std::vector<float> penalized;
  const double frequency = sampling_.frequency_penalty.value_or(0);
  const double presence = sampling_.presence_penalty.value_or(0);
  if ((frequency != 0 || presence != 0) && !counts_.empty()) {
    penalized.assign(logits.begin(), logits.end());
    for (const auto& [token, count] : counts_)
      penalized[static_cast<std::size_t>(token)] -=
          static_cast<float>(frequency * count + presence);
    logits = penalized;
  }
  Token token = draw(logits);
  if (grammar_ && !is_allowed(token)) {
    // Drawing again among the allowed gives each the probability it has among them.
    std::vector<llama_token_data> data(logits.size());
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = {static_cast<Token>(i), logits[i], 0};
    llama_token_data_array array{data.data(), data.size(), -1, false};
    llama_sampler_apply(grammar_.get(), &array);
    std::vector<float> allowed(logits.size(), kForbidden);
    bool is_any = false;
    for (std::size_t i = 0; i < array.size; ++i) {
      allowed[static_cast<std::size_t>(array.data[i].id)] = array.data[i].logit;
      is_any = is_any || std::isfinite(array.data[i].logit);
    }
    if (!is_any)
      return fail(ErrorKind::Invalid, "no token of the model fits the schema at this place");
    token = draw(allowed);
  }
  if (grammar_) llama_sampler_accept(grammar_.get(), token);
  ++counts_[token];
  return token;
}

bool TokenSampler::is_allowed(Token token) {
  llama_token_data data{token, 1, 0};
  llama_token_data_array array{&data, 1, -1, false};
  llama_sampler_apply(grammar_.get(), &array);
  return std::isfinite(data.logit);
}

Token TokenSampler::draw(std::span<const float> logits) {
  const double temperature = sampling_.temperature.value_or(1);
  if (temperature == 0) {
    const auto found = std::ranges::find(logits, largest_of(logits));
    if (found == logits.end()) return 0;  // of damaged weights: no number at all is not found
    return static_cast<Token>(found - logits.begin());
  }
  Exponentials all = make_exponentials(logits, temperature);
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (logits[i] == kForbidden) all.weights[i] = 0;
  if (const auto min_p = static_cast<float>(sampling_.min_p.value_or(0)); min_p > 0)
    for (float& weight : all.weights)
      if (weight < min_p) weight = 0;
  if (sampling_.top_k.value_or(0) > 0 || sampling_.top_p.value_or(1) < 1)
    keep_top(all.weights, all.sum);
  const double sum = std::accumulate(all.weights.begin(), all.weights.end(), 0.0);
  double point = random_.unit() * sum;
  Token last = 0;
  for (std::size_t i = 0; i < all.weights.size(); ++i) {
    if (all.weights[i] <= 0) continue;
    last = static_cast<Token>(i);
    if (point < static_cast<double>(all.weights[i])) return last;
    point -= static_cast<double>(all.weights[i]);
  }
  return last;  // rounding took the point past the end
}

void TokenSampler::keep_top(std::vector<float>& weights, double sum) const {
  const auto wanted = static_cast<std::size_t>(sampling_.top_k.value_or(0));
  const double top_p = sampling_.top_p.value_or(1);
  // Sorting a whole vocabulary is slow and mostly for nothing: begin with the likely ones, and
  // take in the less likely only if those do not suffice.
  for (float least = 1e-3f;; least = least < 1e-30f ? 0 : least * 1e-3f) {
    std::vector<Token> order;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] > least) order.push_back(static_cast<Token>(i));
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](Token token) { return weights[static_cast<std::size_t>(token)]; });
    double kept = 0;
    std::size_t count = 0;
    while (count < order.size() && (wanted == 0 || count < wanted) &&
           (count == 0 || kept < top_p * sum))
      kept += static_cast<double>(weights[static_cast<std::size_t>(order[count++])]);
    const bool is_enough = (wanted > 0 && count == wanted) || kept >= top_p * sum;
    if (!is_enough && least > 0) continue;
    std::vector<float> top(weights.size(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      const auto token = static_cast<std::size_t>(order[i]);
      top[token] = weights[token];
    }
    weights = std::move(top);
    return;
  }
}

core::TokenLogprobs read_logprobs(const Vocabulary& vocabulary, std::span<const float> logits,
                                  Token token, std::int64_t top) {
  const double all = log_sum_exp(logits);
  const auto choice = [&](Token t) {
    return core::TokenChoice{make_utf8(vocabulary.piece(t)),
                             logits[static_cast<std::size_t>(t)] - all};
  };
  core::TokenLogprobs read{choice(token), {}};
  if (top <= 0) return read;
  std::vector<Token> order(logits.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Token>(i);
  const auto count = std::min(static_cast<std::size_t>(top), order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                            [&](Token a, Token b) {
                              const float x = logits[static_cast<std::size_t>(a)];
                              const float y = logits[static_cast<std::size_t>(b)];
                              return x != y ? x > y : a < b;
                            });
  for (std::size_t i = 0; i < count; ++i) read.top.push_back(choice(order[i]));
  return read;
}

}  // namespace personascope::llm::embedded
