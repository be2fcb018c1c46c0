#include "eval/input_lines.hpp"

#include <gtest/gtest.h>

#include "files/testing/temporary_folder.hpp"

namespace personascope::eval {
namespace {

TEST(InputLines, AreReadInAnyOrderAndBlankLinesDoNotCount) {
  files::TemporaryFolder folder;
  const InputFile file{
      .path = folder.write("a.jsonl", "zero\n\none\n  \ntwo\nthree\n"), .sha256 = {}, .lines = 4};
  InputLines lines(file);
  EXPECT_EQ(lines.read(0).value(), "zero");
  EXPECT_EQ(lines.read(1).value(), "one");
  EXPECT_EQ(lines.read(3).value(), "three");
  EXPECT_EQ(lines.read(2).value(), "two") << "goes back";
  EXPECT_EQ(lines.read(2).value(), "two");
}

TEST(InputLines, SayThatAFileHasBecomeShorter) {
  files::TemporaryFolder folder;
  const std::string path = folder.write("a.jsonl", "zero\none\n");
  InputLines lines({.path = path, .sha256 = {}, .lines = 3});
  const auto missing = lines.read(2);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::Invalid);
  EXPECT_NE(missing.error().message.find("2 lines instead of 3"), std::string::npos);
  EXPECT_TRUE(lines.read(1)) << "what is there can still be read";
  EXPECT_NE(lines.make_change_error("why").message.find("line 2 of "), std::string::npos);
}

TEST(InputLines, AFileThatIsGoneIsAnError) {
  InputLines lines({.path = "/nowhere/at/all", .sha256 = {}, .lines = 1});
  EXPECT_EQ(lines.read(0).error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace personascope::eval
