#include "base/exception.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace personascope {
namespace {

TEST(InternalError, SaysWhatTheExceptionSays) {
  const Error known = make_internal_error(std::make_exception_ptr(std::runtime_error("no room")));
  EXPECT_EQ(known.kind, ErrorKind::Internal);
  EXPECT_EQ(known.message, "internal error: no room");
  EXPECT_EQ(make_internal_error(std::make_exception_ptr(7)).message,
            "internal error: an exception of unknown kind");
  EXPECT_EQ(make_internal_error(nullptr).kind, ErrorKind::Internal);
}

}  // namespace
}  // namespace personascope
