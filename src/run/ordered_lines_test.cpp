#include "run/ordered_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.hpp"

namespace personascope::run {
namespace {

TEST(OrderedLines, WritesInOrderWhateverOrderTheyComeIn) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::int64_t> order(50);
    std::iota(order.begin(), order.end(), 0);
    Random random(seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::string written, expected;
    OrderedLines lines([&](std::string_view text) -> Result<void> {
      written += text;
      return {};
    });
    for (const std::int64_t index : order) ASSERT_TRUE(lines.put(index, std::to_string(index)));
    for (int i = 0; i < 50; ++i) expected += std::to_string(i) + "\n";
    EXPECT_EQ(written, expected);
  }
}

TEST(OrderedLines, WritesEachLineAsSoonAsItsTurnComes) {
  std::string written;
  OrderedLines lines([&](std::string_view text) -> Result<void> {
    written += text;
    return {};
  });
  ASSERT_TRUE(lines.put(1, "b"));
  EXPECT_EQ(written, "");
  ASSERT_TRUE(lines.put(0, "a"));
  EXPECT_EQ(written, "a\nb\n");
}

TEST(OrderedLines, SaysWhenTooMuchWaits) {
  OrderedLines lines([](std::string_view) -> Result<void> { return {}; });
  const std::string large(1 << 20, 'x');
  for (int i = 1; i <= 33; ++i) ASSERT_TRUE(lines.put(i, large));
  EXPECT_TRUE(lines.is_full());
  ASSERT_TRUE(lines.put(0, large));
  EXPECT_FALSE(lines.is_full());
}

TEST(OrderedLines, PassesAWriteErrorOn) {
  OrderedLines lines(
      [](std::string_view) -> Result<void> { return fail(ErrorKind::Storage, "full"); });
  EXPECT_TRUE(lines.put(1, "b"));
  EXPECT_FALSE(lines.put(0, "a"));
}

}  // namespace
}  // namespace personascope::run
