// Paths as a stored plan needs them, and where a run that repeats another one writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "files/paths.hpp"

namespace personascope::app {

using files::check_not_same_file;
using files::make_absolute;

// Where a run that repeats `run` writes: to `wanted`, or to standard output as the old one did.
// Fails as Invalid if the old one wrote a file and no other is wanted.
Result<std::string> choose_new_output(std::int64_t run, const std::string& old,
                                      const std::optional<std::string>& wanted);

}  // namespace personascope::app
