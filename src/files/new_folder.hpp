// Writes a folder of files, either completely or not at all.
#pragma once

#include <map>
#include <string>

#include "base/result.hpp"

namespace personascope::files {

enum class IfExists { Refuse, Replace };

// Writes `contents` (path below the folder → text) beside `path` and then renames; the folders
// above are made. The names in `contents` are the program's own, never outside text. Fails as
// Invalid if `path` exists and may not be replaced or is not a folder, as Storage if it cannot be
// written; an existing folder is then unchanged.
Result<void> write_folder(const std::string& path,
                          const std::map<std::string, std::string>& contents, IfExists if_exists);

}  // namespace personascope::files
