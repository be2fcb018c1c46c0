// Versions of a pack's data. The folder holds the newest version; "v1", "v2", ... in it hold older
// ones: their pack.yaml, and each file that has changed since. So old runs can be continued, and
// results of an old version reproduced.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "eval/personagym/pack.hpp"

namespace personascope::eval::personagym {

// The folder with that version: `folder` itself if its pack.yaml has the version, else the folder
// "v<version>" in it, to be loaded with `folder` as `ours`. Fails as NotFound, naming the versions
// that there are, or as Invalid if pack.yaml cannot be read.
Result<std::string> find_pack_version(const std::string& folder, std::int64_t version);

// Whether `folder` is a "v<number>" directly in `ours`. Looks at the names only.
bool is_version_folder(const std::string& folder, const std::string& ours);

// Like load_pack, but if the folder's files do not have the hash `sha256`, an older version that
// has it is loaded in its place, so that a run started with it can go on. If none has it, or the
// hash is empty, the folder itself is loaded.
Result<Pack> load_pack_with_hash(const std::string& folder, const std::string& ours,
                                 const std::string& sha256);

}  // namespace personascope::eval::personagym
