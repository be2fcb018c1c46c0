#include "base/git_hash.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <new>

namespace personascope {

GitBlobHash::GitBlobHash(std::uint64_t size) : context_(EVP_MD_CTX_new()) {
  if (!context_) throw std::bad_alloc();
  EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context_), EVP_sha1(), nullptr);
  update(fmt::format("blob {}", size));
  update(std::string_view("\0", 1));
}

GitBlobHash::~GitBlobHash() {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context_));
}

void GitBlobHash::update(std::string_view bytes) {
  EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_), bytes.data(), bytes.size());
}

std::string GitBlobHash::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_), digest.data(), &length);
  std::string text;
  for (unsigned int i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace personascope
