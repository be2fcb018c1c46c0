// Versions of the program's own data. A folder such as data/bench holds the newest version; "v1" in
// it holds the files of version 1 that have changed since.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace personascope::eval {

// Where the files of version `wanted` are that have changed since: `folder` itself if that is the
// newest or nothing is wanted, else the folder "v<wanted>" in it. Fails as NotFound, naming the
// versions that there are.
Result<std::string> find_data_version(const std::string& folder, std::int64_t newest,
                                      const std::optional<std::int64_t>& wanted);

}  // namespace personascope::eval
