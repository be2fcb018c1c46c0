// Paths as a stored plan needs them: absolute, and never over a file that is read.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope::files {

inline constexpr std::string_view kStandardOutput = "-";

// From the root of the file system; "-" (standard output) is unchanged.
std::string make_absolute(const std::string& path);

// Fails as Invalid if the output would overwrite `source` or, if that is a folder, a file in it
// (but for .jsonl files, which are items of an earlier run); `option` names the output.
Result<void> check_not_same_file(const std::string& output, const std::string& source,
                                 std::string_view option = "output");

}  // namespace personascope::files
