// The file of a store: where it may be, and how it is made.
#pragma once

#include <string>

#include "base/result.hpp"

namespace personascope::store {

enum class IfMissing { Create, Fail };

// The absolute path of the store's file without symbolic links, so that everyone who opens it finds
// the same lock files. A missing file is made readable to its owner only (0600), and so are missing
// folders (0700). Fails as Invalid if the path is that of a folder or a device, as NotFound if
// there is no file, as Storage if it cannot be made.
Result<std::string> prepare_store_file(const std::string& path, IfMissing if_missing);

}  // namespace personascope::store
