#include "base/random.hpp"

namespace personascope {
namespace {

// The finalizer of SplitMix64: a bijection that mixes all 64 bits.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

std::uint64_t mix_text(std::uint64_t state, std::string_view text) {
  for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return mix(state ^ text.size());
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view purpose, std::string_view item,
               std::uint64_t replicate)
    : key_(mix(mix_text(mix_text(mix(seed), purpose), item) ^ mix(replicate))) {}

std::uint64_t Random::next() {
  return mix(key_ ^ mix(counter_++));
}

std::uint64_t Random::below(std::uint64_t bound) {
  // Draws under `threshold` would make the first values likelier than the rest.
  const std::uint64_t threshold = -bound % bound;
  for (;;) {
    const std::uint64_t draw = next();
    if (draw >= threshold) return draw % bound;
  }
}

double Random::unit() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

}  // namespace personascope
