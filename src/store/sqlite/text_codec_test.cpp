#include "store/sqlite/text_codec.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace personascope::store {
namespace {

std::string random_bytes(std::size_t size) {
  Random random(1);
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.next());
  return bytes;
}

TEST(TextCodec, GivesBackEveryText) {
  TextCodec codec;
  const std::string nul_and_not_utf8("a\0b\xff", 4);
  for (const std::string& text :
       {std::string(), std::string("short"), nul_and_not_utf8, std::string(199, 'a'),
        std::string(200, 'a'), std::string(5'000'000, 'a'), random_bytes(100'000)}) {
    const auto packed = codec.pack(text);
    ASSERT_TRUE(packed);
    const auto unpacked = codec.unpack(*packed);
    ASSERT_TRUE(unpacked) << unpacked.error().message;
    EXPECT_EQ(*unpacked, text);
  }
}

TEST(TextCodec, CompressesOnlyWhatGetsSmaller) {
  TextCodec codec;
  EXPECT_EQ(codec.pack(std::string(100, 'a'))->size(), 101U);
  EXPECT_LT(codec.pack(std::string(1000, 'a'))->size(), 50U);
  EXPECT_EQ(codec.pack(random_bytes(1000))->size(), 1001U);
}

TEST(TextCodec, RefusesATextThatIsTooLong) {
  TextCodec codec;
  const std::string text(kLongestText + 1, 'a');
  EXPECT_EQ(codec.pack(text).error().kind, ErrorKind::TooLarge);
}

TEST(TextCodec, RefusesWhatItDidNotPack) {
  TextCodec codec;
  const std::string packed = codec.pack(std::string(1000, 'a') + random_bytes(300)).value();
  // A frame header that claims 10,000,000,000 bytes of content, then one empty last block.
  const std::string bomb("\x01\x28\xb5\x2f\xfd\xe0\x00\xe4\x0b\x54\x02\x00\x00\x00\x01\x00\x00",
                         17);
  std::string flipped = packed;
  flipped[packed.size() / 2] = static_cast<char>(~flipped[packed.size() / 2]);
  for (const std::string& bytes :
       {std::string(), std::string("\x02 unknown flag"), std::string("\x01"),
        std::string("\x01 no frame"), packed.substr(0, packed.size() - 1), packed.substr(0, 8),
        bomb}) {
    const auto unpacked = codec.unpack(bytes);
    ASSERT_FALSE(unpacked) << bytes.size() << " bytes";
    EXPECT_EQ(unpacked.error().kind, ErrorKind::Storage);
  }
  static_cast<void>(codec.unpack(flipped));  // may give another text, must not crash
  EXPECT_TRUE(codec.unpack(packed)) << "the codec works on after a failure";
}

}  // namespace
}  // namespace personascope::store
