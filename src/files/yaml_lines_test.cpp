#include "files/yaml_lines.hpp"

#include <gtest/gtest.h>

namespace personascope::files {
namespace {

TEST(YamlLines, AreThoseOfKeysAtEveryDepth) {
  const auto lines = find_key_lines("# comment\nmodel: x\n\ngym:\n  limit: 3\n  deep: {a: 1}\n");
  EXPECT_EQ(lines,
            (std::map<std::string, int>{
                {"model", 2}, {"gym", 4}, {"gym/limit", 5}, {"gym/deep", 6}, {"gym/deep/a", 6}}));
  EXPECT_EQ(find_key_lines("- a\n- b\n"), (std::map<std::string, int>{{"0", 1}, {"1", 2}}));
}

TEST(YamlLines, AreNoneOfASingleValue) {
  EXPECT_TRUE(find_key_lines("a: [").empty());
  EXPECT_TRUE(find_key_lines("").empty());
}

}  // namespace
}  // namespace personascope::files
