#include "files/new_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "files/testing/temporary_folder.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

namespace fs = std::filesystem;

long entries_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(NewFolder, AppearsWithAllItsFiles) {
  const TemporaryFolder folder;
  const std::string path = folder.path("above/pack");
  ASSERT_TRUE(write_folder(path, {{"a.txt", "one"}, {"deep/er/b.txt", ""}}, IfExists::Refuse));
  EXPECT_EQ(load_text(path + "/a.txt").value(), "one");
  EXPECT_EQ(load_text(path + "/deep/er/b.txt").value(), "");
  EXPECT_EQ(entries_in(folder.path("above")), 1);
}

TEST(NewFolder, IsReplacedOnlyIfWanted) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pack");
  ASSERT_TRUE(write_folder(path, {{"a.txt", "one"}}, IfExists::Refuse));
  const auto refused = write_folder(path, {{"b.txt", "two"}}, IfExists::Refuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Invalid);
  EXPECT_NE(refused.error().message.find("`force`"), std::string::npos);
  EXPECT_EQ(load_text(path + "/a.txt").value(), "one");
  ASSERT_TRUE(write_folder(path, {{"b.txt", "two"}}, IfExists::Replace));
  EXPECT_FALSE(fs::exists(path + "/a.txt"));
  EXPECT_EQ(load_text(path + "/b.txt").value(), "two");
  EXPECT_EQ(entries_in(folder.path("")), 1);
}

TEST(NewFolder, WhatCannotBeWrittenLeavesNothing) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pack");
  // A file cannot stand where a folder is needed.
  EXPECT_FALSE(write_folder(path, {{"a", "one"}, {"a/b", "two"}}, IfExists::Refuse));
  EXPECT_EQ(entries_in(folder.path("")), 0);
  folder.write("pack", "a file");
  EXPECT_FALSE(write_folder(path, {{"a", "one"}}, IfExists::Replace));
  EXPECT_EQ(load_text(path).value(), "a file");
}

}  // namespace
}  // namespace personascope::files
