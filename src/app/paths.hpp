// Paths as a stored plan needs them: whole, and never over what is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope::app {

// From the root of the file system; standard output stays what it is.
std::string make_absolute(const std::string& path);

// Fails as Invalid if the output would overwrite `source` or, if that is a folder, a file in it
// (but for .jsonl, which are lines of an earlier run); `flag` names the output.
Result<void> check_not_same_file(const std::string& output, const std::string& source,
                                 std::string_view flag = "-o");

// Where a run that repeats `run` writes: to `wanted`, or to standard output as the old one did.
// Fails as Invalid if the old one wrote a file and no other is wanted.
Result<std::string> choose_new_output(std::int64_t run, const std::string& old,
                                      const std::optional<std::string>& wanted);

}  // namespace personascope::app
