#include "base/result.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace personascope {
namespace {

Result<int> half_of(int number) {
  if (number % 2 != 0) return fail(ErrorKind::Invalid, "{} is odd", number);
  return number / 2;
}

Result<int> quarter_of(int number) {
  ASSIGN_OR_RETURN(const int half, half_of(number));
  ASSIGN_OR_RETURN(const int quarter, half_of(half));
  return quarter;
}

Result<void> check_even(int number, bool& reached_end) {
  RETURN_IF_ERROR(half_of(number));
  reached_end = true;
  return {};
}

Result<std::unique_ptr<int>> move_through(Result<std::unique_ptr<int>> value) {
  ASSIGN_OR_RETURN(auto owner, std::move(value));
  return owner;
}

TEST(Result, HoldsAValueOrAnErrorWithItsKindAndText) {
  EXPECT_EQ(half_of(8).value(), 4);
  const auto failed = half_of(7);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(failed.error().message, "7 is odd");
}

TEST(Result, TheMacrosPassTheFirstErrorOn) {
  EXPECT_EQ(quarter_of(12).value(), 3);
  EXPECT_EQ(quarter_of(7).error().message, "7 is odd");
  EXPECT_EQ(quarter_of(10).error().message, "5 is odd");
}

TEST(Result, ReturnIfErrorGoesOnOnlyAfterSuccess) {
  bool reached_end = false;
  EXPECT_FALSE(check_even(3, reached_end));
  EXPECT_FALSE(reached_end);
  EXPECT_TRUE(check_even(4, reached_end));
  EXPECT_TRUE(reached_end);
}

TEST(Result, AssignOrReturnMovesWhatCannotBeCopied) {
  const auto owner = move_through(std::make_unique<int>(5));
  ASSERT_TRUE(owner);
  EXPECT_EQ(**owner, 5);
}

TEST(Result, EveryKindHasANameOfItsOwnThatLeadsBackToIt) {
  for (int i = 0; i <= static_cast<int>(ErrorKind::Internal); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    EXPECT_EQ(error_kind_named(name_of(kind)), kind) << name_of(kind);
  }
  EXPECT_EQ(name_of(ErrorKind::RateLimited), "rate_limited");
}

TEST(Result, ANameOfALaterVersionIsInternal) {
  EXPECT_EQ(error_kind_named("quantum_decoherence"), ErrorKind::Internal);
  EXPECT_EQ(error_kind_named(""), ErrorKind::Internal);
}

}  // namespace
}  // namespace personascope
