#include "base/git_hash.hpp"

#include <gtest/gtest.h>

namespace personascope {
namespace {

// As `git hash-object` says.
TEST(GitBlobHash, IsThatOfGit) {
  EXPECT_EQ(GitBlobHash(0).hex(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  GitBlobHash hash(12);
  hash.update("hello ");
  hash.update("world\n");
  EXPECT_EQ(hash.hex(), "3b18e512dba79e4c8300dd08aeb37f8e728b8dad");
}

}  // namespace
}  // namespace personascope
