// Whole files of text: read with a bound, written whole or not at all.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope::files {

// NotFound if there is none, Invalid if it is a folder or cannot be read.
Result<std::ifstream> open_for_reading(const std::string& path);

// The whole file; Invalid also if it is larger than `most` bytes.
Result<std::string> load_text(const std::string& path, std::size_t most = 256u << 20);

// A file that appears under its name only when it is complete: text goes into a hidden file beside
// it, which commit() renames and the destructor removes. Fails as Invalid for an empty name, "-", a
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
  NewFile(std::string path, std::string temporary);
  Error describe_failure(std::string_view what) const;

  std::string path_;
  std::string temporary_;  // empty once committed or moved from
  std::ofstream stream_;
};

}  // namespace personascope::files
