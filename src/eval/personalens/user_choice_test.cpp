#include "eval/personalens/user_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace personascope::eval::personalens {
namespace {

TEST(UserChoice, RangesAndNumbersAreUnited) {
  using Users = std::vector<int>;
  EXPECT_EQ(parse_user_ranges("0-3,250").value(), (Users{0, 1, 2, 3, 250}));
  EXPECT_EQ(parse_user_ranges("5, 3-4 ,4").value(), (Users{3, 4, 5}));
  EXPECT_EQ(parse_user_ranges("0-0").value(), Users{0});
}

TEST(UserChoice, WhatIsNoRangeIsRefused) {
  for (const char* text : {"", ",", "a", "3-1", "-3", "1-", "1--3", "1.5", "0-99999999"})
    EXPECT_FALSE(parse_user_ranges(text)) << text;
}

TEST(UserChoice, EachSampleHoldsTheSmallerOnes) {
  const auto twenty = find_sample(20).value();
  EXPECT_EQ(twenty.front(), 66);
  EXPECT_EQ(twenty.back(), 1458);
  std::vector<int> before = twenty;
  for (const int size : {30, 50, 100}) {
    const auto sample = find_sample(size).value();
    EXPECT_EQ(sample.size(), static_cast<std::size_t>(size));
    EXPECT_EQ(std::ranges::adjacent_find(sample), sample.end());
    EXPECT_TRUE(std::ranges::includes(sample, before));
    before = sample;
  }
  EXPECT_FALSE(find_sample(10));
}

}  // namespace
}  // namespace personascope::eval::personalens
