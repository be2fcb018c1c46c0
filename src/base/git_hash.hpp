// The SHA-1 by which git names a file's content. It is compared with what a server announces; it
// guards against damage, not against an enemy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace personascope {

class GitBlobHash {
 public:
  explicit GitBlobHash(std::uint64_t size);  // of the whole content
  ~GitBlobHash();
  GitBlobHash(const GitBlobHash&) = delete;
  GitBlobHash& operator=(const GitBlobHash&) = delete;
  void update(std::string_view bytes);
  // Ends the hash, in lower-case hexadecimal; call once.
  std::string hex();

 private:
  void* context_;
};

}  // namespace personascope
