// SHA-256 and HMAC-SHA-256, the only hashes that identify data or sign requests here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace personascope {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view bytes);
Digest hmac_sha256(std::string_view key, std::string_view bytes);

// Lower-case hexadecimal.
std::string render_hex(const Digest& digest);
// The digest's bytes, as a key for a further HMAC or a database column.
std::string_view bytes_of(const Digest& digest);

// SHA-256 of text that arrives in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void update(std::string_view bytes);
  // Ends the hash; call once.
  Digest digest();

 private:
  void* context_;
};

}  // namespace personascope
