// An exception that got as far as a place which hands out errors as values.
#pragma once

#include <exception>

#include "base/result.hpp"

namespace personascope {

// The exception as an Error of kind Internal: "internal error: <what it says>".
Error make_internal_error(const std::exception_ptr& exception);

}  // namespace personascope
