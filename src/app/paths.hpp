// Paths as a stored plan needs them: whole, and never over what is read.
#pragma once

#include <string>

#include "base/result.hpp"

namespace personascope::app {

// From the root of the file system; standard output stays what it is.
std::string make_absolute(const std::string& path);

// Fails as Invalid if the output would overwrite `source`.
Result<void> check_not_same_file(const std::string& output, const std::string& source);

}  // namespace personascope::app
