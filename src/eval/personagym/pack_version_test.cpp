#include "eval/personagym/pack_version.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personagym {
namespace {

const std::string kShipped = PERSONASCOPE_DATA "/gym";
// Of version 1 as it was released. If this changes, runs of version 1 can no longer be continued.
const std::string kFirstHash = "8180beaf91f44a5d4ea5ab3cde3ed611ad9596e1bf46c19a08567f7ef6db07c1";

TEST(PackVersion, TheNewestIsTheFolderItself) {
  const auto folder = find_pack_version(kShipped, 2);
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_EQ(*folder, kShipped);
}

TEST(PackVersion, TheFirstIsWhatItWas) {
  const auto folder = find_pack_version(kShipped, 1);
  ASSERT_TRUE(folder) << folder.error().message;
  const auto pack = load_pack(*folder, kShipped);
  ASSERT_TRUE(pack) << pack.error().message;
  EXPECT_EQ(pack->sha256, kFirstHash);
  EXPECT_EQ(pack->questions.size(), 20u);
  EXPECT_TRUE(pack->probes.empty());
  EXPECT_TRUE(pack->borrowed.empty());
}

TEST(PackVersion, AnUnknownOneIsToldWithThoseThatThereAre) {
  const auto folder = find_pack_version(kShipped, 3);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().kind, ErrorKind::NotFound);
  EXPECT_EQ(folder.error().message, kShipped + " has no version 3 of its data; it has 2, 1");
}

TEST(PackVersion, IsFoundByItsHash) {
  const auto first = load_pack_with_hash(kShipped, kShipped, kFirstHash);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->card.at("version"), 1);
  for (const char* hash : {"", "0000"})
    EXPECT_EQ(load_pack_with_hash(kShipped, kShipped, hash)->card.at("version"), 2);
}

TEST(PackVersion, OnlyAFolderOfOursIsAVersion) {
  EXPECT_TRUE(is_version_folder("a/gym/v1/", "a/gym"));
  for (const char* folder : {"a/gym", "a/gym/mine", "a/v1", "a/gym/v", "a/gym/v1x", "a/gym/v1/v2"})
    EXPECT_FALSE(is_version_folder(folder, "a/gym")) << folder;
}

}  // namespace
}  // namespace personascope::eval::personagym
