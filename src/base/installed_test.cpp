#include "base/installed.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace personascope {
namespace {

TEST(Installed, IsFoundFromThePlaceOfTheProgram) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  const std::string place = "bin/" + program.filename().string();
  EXPECT_EQ(find_installed(place), std::filesystem::canonical(program).string());
  EXPECT_EQ(describe_installed(place), program.string());
}

TEST(Installed, IsNothingWhereThereIsNothing) {
  EXPECT_EQ(find_installed("share/personascope/no-such-thing"), std::nullopt);
  EXPECT_EQ(list_prefixes().back(), "/usr");
}

}  // namespace
}  // namespace personascope
