#include "base/hash.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <new>

namespace personascope {
namespace {

// Fetching an algorithm by name costs more than hashing a small text, so it is done once.
const EVP_MD* sha256_algorithm() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm;
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  if (!context_) throw std::bad_alloc();
  EVP_DigestInit_ex2(static_cast<EVP_MD_CTX*>(context_), sha256_algorithm(), nullptr);
}

Sha256::~Sha256() {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context_));
}

void Sha256::update(std::string_view bytes) {
  EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_), bytes.data(), bytes.size());
}

Digest Sha256::digest() {
  Digest result{};
  EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_), result.data(), nullptr);
  return result;
}

Digest sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.digest();
}

Digest hmac_sha256(std::string_view key, std::string_view bytes) {
  Digest result{};
  unsigned int length = 0;
  if (bytes.empty()) bytes = "";  // to HMAC, null pointers are not empty texts
  HMAC(sha256_algorithm(), key.empty() ? "" : key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), result.data(), &length);
  return result;
}

std::string render_hex(const Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace personascope
