// A folder held open, for reading many small files fast: nothing is looked up twice, and one buffer
// serves all files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace personascope::files {

class Folder {
 public:
  // NotFound if it does not exist or is not a folder.
  static Result<Folder> open(const std::string& path);
  // The same for a folder in this one.
  Result<Folder> open_folder(const std::string& name) const;

  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  ~Folder();

  // Replaces `names` by the entries of the folder, unsorted, without hidden ones.
  Result<void> list(std::vector<std::string>& names) const;

  // The file's text, in `buffer`, which grows as needed and is never shrunk. NotFound; Invalid if
  // it is not a file, cannot be read or has more than `most` bytes.
  Result<std::string_view> read(const std::string& name, std::vector<char>& buffer,
                                std::size_t most) const;

 private:
  explicit Folder(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace personascope::files
