// Counter-based random numbers: every draw is a pure function of a seed, a purpose, an item and a
// replicate, so that results do not depend on threads, order or platform.
#pragma once

#include <cstdint>
#include <string_view>

namespace personascope {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::string_view purpose = {}, std::string_view item = {},
                  std::uint64_t replicate = 0);

  std::uint64_t next();
  // Uniform in [0, bound), without modulo bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1), 53 bits.
  double unit();

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace personascope
