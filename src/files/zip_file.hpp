// ZIP files: written member by member without holding one in memory, and read as untrusted input.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

struct zip;
struct zip_file;

namespace personascope::files {

// Gives the next part of a member; nothing at its end.
using PullText = std::function<Result<std::optional<std::string>>()>;

struct NewMember {
  std::string name;
  PullText pull;
};

// Writes the members one after the other; the file appears under its name only when it is whole.
// Returns the error of a member that fails. Fails as Storage if the file cannot be written.
Result<void> write_zip(const std::string& path, std::vector<NewMember> members);

// Reads members by name. Nothing is unpacked to files, so names cannot lead anywhere.
class ZipReader {
 public:
  // Fails as NotFound if there is no file; as Invalid if it is no ZIP file or is damaged, or if its
  // members are named otherwise than in `names`, appear twice, are larger than 64 GB together, or
  // have been packed to less than a five-hundredth.
  static Result<ZipReader> open(const std::string& path, const std::vector<std::string>& names);

  bool has(const std::string& name) const;

  // Reads a member line by line, checking its checksum at the end.
  class Lines {
   public:
    // The next line without its end; nothing after the last. Fails as Invalid on a line longer than
    // 64 MB, a damaged member or a wrong checksum.
    Result<std::optional<std::string_view>> next();

   private:
    friend class ZipReader;
    struct Close {
      void operator()(zip_file* member) const;
    };
    std::string where_;  // "FILE: MEMBER"
    std::unique_ptr<zip_file, Close> member_;
    std::string buffer_;
    std::size_t at_ = 0;
    bool has_ended_ = false;
  };
  Result<Lines> lines_of(const std::string& name);
  // The whole member. Fails as lines do, and as Invalid if it is larger than `most` bytes.
  Result<std::string> load(const std::string& name, std::size_t most);

 private:
  struct Close {
    void operator()(zip* archive) const;
  };
  std::string path_;
  std::unique_ptr<zip, Close> archive_;
};

}  // namespace personascope::files
