// Files that change what the program does, and may be somebody else's: they come with a cloned
// repository or lie in a shared folder.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"

namespace personascope::files {

struct OwnFile {
  std::string text;
  std::string objection;  // why it was not read: it is another user's, or others may write to it
};

// The text of a plain file that belongs to the user (or root) and that nobody else can write to.
// Fails as Invalid if it is too large or cannot be read to its end; the message begins with what is
// wrong: "is larger than 1 MB".
Result<OwnFile> load_own_file(const std::string& path, std::size_t most_bytes);

}  // namespace personascope::files
