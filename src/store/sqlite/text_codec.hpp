// Texts as stored in the database: a flag byte, then the text itself or a zstd frame of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace personascope::store {

// Longer texts are neither packed nor unpacked: a damaged or hostile blob may claim any length.
inline constexpr std::size_t kLongestText = std::size_t{256} << 20;

// Keeps zstd's contexts, whose making costs more than packing a small text. One thread at a time.
class TextCodec {
 public:
  TextCodec();
  ~TextCodec();
  TextCodec(const TextCodec&) = delete;
  TextCodec& operator=(const TextCodec&) = delete;

  // Fails as TooLarge over kLongestText.
  Result<std::string> pack(std::string_view text);
  // Fails as Storage on bytes that pack() did not make.
  Result<std::string> unpack(std::string_view bytes);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
    void operator()(ZSTD_DCtx_s* context) const;
  };

  std::unique_ptr<ZSTD_CCtx_s, Free> compression_;
  std::unique_ptr<ZSTD_DCtx_s, Free> decompression_;
};

}  // namespace personascope::store
