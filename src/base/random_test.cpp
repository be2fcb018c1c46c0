#include "base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace personascope {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

std::vector<std::uint64_t> draw(Random random, int count) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(random.next());
  return numbers;
}

// Made by an implementation in another language: a change here changes every recorded run.
TEST(Random, GivesTheSameNumbersOnEveryPlatform) {
  EXPECT_EQ(draw(Random(0), 3), (std::vector<std::uint64_t>{0x715777f437fcf197, 0xe750bc927566a8b7,
                                                            0x9b4b99bd76333f81}));
  EXPECT_EQ(
      draw(Random(42, "retry", "item-7", 3), 3),
      (std::vector<std::uint64_t>{0x56eaa3ad73655201, 0x4f0d28dc4087bc8e, 0x875a12d77295f740}));
  EXPECT_EQ(
      draw(Random(kLargest, "é", "", kLargest), 3),
      (std::vector<std::uint64_t>{0xdc77b7b65bbd5b83, 0x355dec23259830b3, 0x07a3892dcf71b1fa}));
  Random digits(1);
  for (const std::uint64_t digit : {6, 4, 4, 2, 5, 9, 2, 1}) EXPECT_EQ(digits.below(10), digit);
  Random units(7, "unit");
  EXPECT_EQ(units.unit(), 0.3772666144097798);
  EXPECT_EQ(units.unit(), 0.5866877065940703);
}

TEST(Random, EveryPartOfTheKeyMakesAnotherStream) {
  const auto base = draw(Random(1, "a", "b", 0), 4);
  EXPECT_EQ(draw(Random(1, "a", "b", 0), 4), base);
  EXPECT_NE(draw(Random(2, "a", "b", 0), 4), base);
  EXPECT_NE(draw(Random(1, "b", "b", 0), 4), base);
  EXPECT_NE(draw(Random(1, "a", "a", 0), 4), base);
  EXPECT_NE(draw(Random(1, "a", "b", 1), 4), base);
  EXPECT_NE(draw(Random(1, "ab", "", 0), 4), base);
  EXPECT_NE(draw(Random(1, "", "ab", 0), 4), base);
}

TEST(Random, BelowStaysBelowItsBound) {
  Random random(3);
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                                    std::uint64_t{1000}, (std::uint64_t{1} << 63) + 1, kLargest})
    for (int i = 0; i < 1000; ++i) ASSERT_LT(random.below(bound), bound);
  EXPECT_EQ(random.below(1), 0u);
}

// Chi-square with 9 degrees of freedom: 27.9 is exceeded once in a thousand seeds; this one is
// fixed.
TEST(Random, BelowIsUniform) {
  constexpr int kDraws = 100'000;
  std::array<int, 10> counts{};
  Random random(11, "uniformity");
  for (int i = 0; i < kDraws; ++i) ++counts[random.below(10)];
  double chi_square = 0;
  for (const int count : counts) {
    const double off = count - kDraws / 10.0;
    chi_square += off * off / (kDraws / 10.0);
  }
  EXPECT_LT(chi_square, 27.9);
}

// A plain remainder would give the lower third of this range twice as often.
TEST(Random, BelowHasNoModuloBias) {
  const std::uint64_t bound = kLargest / 3 * 2;
  Random random(5, "bias");
  int low = 0;
  for (int i = 0; i < 10'000; ++i) low += random.below(bound) < bound / 2;
  EXPECT_NEAR(low, 5000, 200);
}

TEST(Random, UnitIsInTheHalfOpenIntervalAndCentred) {
  Random random(9);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double number = random.unit();
    ASSERT_GE(number, 0.0);
    ASSERT_LT(number, 1.0);
    sum += number;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(Random, StreamsOfNeighbouringItemsAreIndependent) {
  int equal_bits = 0;
  for (std::uint64_t i = 0; i < 1000; ++i)
    equal_bits += __builtin_popcountll(~(Random(i).next() ^ Random(i + 1).next()));
  EXPECT_NEAR(equal_bits, 32'000, 600);
}

}  // namespace
}  // namespace personascope
