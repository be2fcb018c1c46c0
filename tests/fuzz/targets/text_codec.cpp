// Texts as they lie in the database.
#include "store/sqlite/text_codec.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(text_codec, bytes) {
  static store::TextCodec codec;
  const auto packed = codec.pack(bytes);
  fuzz::require(packed.has_value(), "a text can be packed");
  const auto unpacked = codec.unpack(*packed);
  fuzz::require(unpacked && *unpacked == bytes, "a packed text unpacks to itself");
  const auto text = codec.unpack(bytes);
  if (!fuzz::succeeds(text)) return;
  const auto again = codec.pack(*text);
  fuzz::require(again.has_value(), "what unpacks can be packed");
}
