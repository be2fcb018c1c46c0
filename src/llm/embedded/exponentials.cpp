#include "llm/embedded/exponentials.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace personascope::llm::embedded {
namespace {

constexpr std::size_t kLanes = 16;

// exp(x) for x <= 0, without branches: 2^n * 2^f with |f| <= 1/2, the latter by its Taylor series.
inline float exp_of_negative(float x) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
  const float scaled = std::max(x, -80.0f) * 1.44269504f;
  const float whole = (scaled + kRound) - kRound;
  const float f = (scaled - whole) * 0.693147181f;
  const float series =
      1 + f * (1 + f * (1.0f / 2 +
                        f * (1.0f / 6 + f * (1.0f / 24 + f * (1.0f / 120 + f * (1.0f / 720))))));
  const auto power = static_cast<std::int32_t>(whole) + 127;
  return series * std::bit_cast<float>(power << 23);
}

// Sums of every sixteenth weight, in the order that vector instructions keep.
inline void add_to_lanes(std::span<const float> weights, double (&sums)[kLanes]) {
  for (std::size_t i = 0; i < weights.size(); ++i)
    sums[i % kLanes] += static_cast<double>(weights[i]);
}

inline double sum_of_lanes(const double (&sums)[kLanes]) {
  double all = 0;
  for (const double sum : sums) all += sum;
  return all;
}

double sum_of(std::span<const float> weights) {
  double sums[kLanes] = {};
  add_to_lanes(weights, sums);
  return sum_of_lanes(sums);
}

}  // namespace

float largest_of(std::span<const float> logits) {
  float lanes[kLanes];
  std::ranges::fill(lanes, logits.front());
  const std::size_t whole = logits.size() - logits.size() % kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] = std::max(lanes[lane], logits[i + lane]);
  for (const float logit : logits.subspan(whole)) lanes[0] = std::max(lanes[0], logit);
  return *std::ranges::max_element(lanes);
}

bool are_finite(std::span<const float> logits) {
  float lanes[kLanes] = {};  // 0 as long as all are: infinity times 0 is no number
  const std::size_t whole = logits.size() - logits.size() % kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += logits[i + lane] * 0.0f;
  for (const float logit : logits.subspan(whole)) lanes[0] += logit * 0.0f;
  return std::ranges::all_of(lanes, [](float lane) { return lane == 0; });
}

Exponentials make_exponentials(std::span<const float> logits, double temperature) {
  Exponentials result;
  result.largest = largest_of(logits);
  result.weights.resize(logits.size());
  const float largest = result.largest;
  const auto inverse = static_cast<float>(1 / temperature);
  const float* in = logits.data();
  float* out = result.weights.data();
  const std::size_t count = logits.size();
  for (std::size_t i = 0; i < count; ++i) out[i] = exp_of_negative((in[i] - largest) * inverse);
  result.sum = sum_of(result.weights);
  return result;
}

// A piece at a time: a whole vocabulary's weights are more than malloc keeps at hand, and fresh
// memory for each of several threads costs more than the arithmetic.
double log_sum_exp(std::span<const float> logits) {
  constexpr std::size_t kPiece = 1024;
  static_assert(kPiece % kLanes == 0);
  const float largest = largest_of(logits);
  double sums[kLanes] = {};
  float weights[kPiece];
  for (std::size_t from = 0; from < logits.size(); from += kPiece) {
    const std::size_t count = std::min(kPiece, logits.size() - from);
    const float* in = logits.data() + from;
    for (std::size_t i = 0; i < count; ++i) weights[i] = exp_of_negative(in[i] - largest);
    add_to_lanes(std::span(weights, count), sums);
  }
  return largest + std::log(sum_of_lanes(sums));
}

}  // namespace personascope::llm::embedded
