// Unfinished files and folders: hidden, next to their final path, with a unique name, and locked
// while their process runs. One that is not locked was left by a process that has ended, perhaps in
// another container.
#pragma once

#include <string>

#include "base/result.hpp"

namespace personascope::files {

// A file or folder of ours in the making. The lock is held until it is destroyed; the file or
// folder itself stays.
class Part {
 public:
  // A new, empty one in the folder, readable to the user alone. Never through a symbolic link: the
  // name is new. Fails as Invalid if it cannot be made there.
  static Result<Part> make_file(const std::string& folder);
  static Result<Part> make_folder(const std::string& folder);
  Part(Part&& other) noexcept;
  Part& operator=(Part&&) = delete;
  ~Part();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

 private:
  Part(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::string path_;
  int descriptor_;
};

// Removes the user's parts in the folder whose process has ended: those that can be locked. On a
// file system without locks, nothing is removed.
void remove_dead_parts(const std::string& folder);

// The permissions of a file or folder made by other means: the most bits minus the umask.
unsigned mode_by_umask(unsigned most);

}  // namespace personascope::files
