// Files of text: read up to a size limit, written completely or not at all.
#pragma once

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "files/part.hpp"

namespace personascope::files {

// NotFound if there is none, Invalid if it is a folder or cannot be read.
Result<std::ifstream> open_for_reading(const std::string& path);

// The whole file; Invalid also if it is larger than `most` bytes.
Result<std::string> load_text(const std::string& path, std::size_t most = 256u << 20);

// A file that appears under its name only when it is complete: text goes into a hidden file next to
// it (files/part.hpp), which commit() renames and the destructor removes. Until then only the user
// can read it; then it has the permissions of the file that it replaces, else those of the umask. A
// symbolic link of that name is replaced, not followed. Fails as Invalid for an empty name, "-", a
// folder, a device, and in a folder that is missing or cannot be written.
class NewFile {
 public:
  static Result<NewFile> create(const std::string& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  // Buffered; a failure may also show only at commit().
  Result<void> write(std::string_view text);
  Result<void> commit();

 private:
  NewFile(std::string path, unsigned mode, Part part);
  Error describe_failure(std::string_view what) const;
  Result<void> flush();

  std::string path_;
  unsigned mode_;
  std::optional<Part> part_;  // none once committed or moved from
  std::string buffer_;
};

}  // namespace personascope::files
