#include "files/folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "files/testing/temporary_folder.hpp"

namespace personascope::files {
namespace {

class FolderTest : public testing::Test {
 protected:
  Folder open() { return Folder::open(folder_.path("")).value(); }

  TemporaryFolder folder_;
  std::vector<char> buffer_;
};

TEST_F(FolderTest, ListsWhatIsThereWithoutHiddenEntries) {
  folder_.write("b.txt", "");
  folder_.write("a/inside.txt", "");
  folder_.write(".hidden", "");
  std::vector<std::string> names{"old"};
  ASSERT_TRUE(open().list(names));
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b.txt"}));
  const Folder inner = open().open_folder("a").value();
  ASSERT_TRUE(inner.list(names));
  EXPECT_EQ(names, std::vector<std::string>{"inside.txt"});
  ASSERT_TRUE(inner.list(names)) << "a folder can be listed again";
  EXPECT_EQ(names.size(), 1u);
}

TEST_F(FolderTest, OneBufferServesFilesOfAnySize) {
  const std::string large(100'000, 'x');
  folder_.write("large", large);
  folder_.write("small", "two\nlines");
  folder_.write("empty", "");
  const Folder folder = open();
  EXPECT_EQ(folder.read("large", buffer_, large.size()).value(), large);
  EXPECT_EQ(folder.read("small", buffer_, 9).value(), "two\nlines");
  EXPECT_EQ(folder.read("empty", buffer_, 9).value(), "");
}

TEST_F(FolderTest, SizesAroundTheBuffersEndAreReadWhole) {
  for (const std::size_t size : {(32u << 10) - 1, 32u << 10, (32u << 10) + 1, 64u << 10}) {
    std::vector<char> fresh;
    const std::string text(size, 'y');
    folder_.write("file", text);
    EXPECT_EQ(open().read("file", fresh, size).value(), text) << size;
    EXPECT_FALSE(open().read("file", fresh, size - 1)) << size;
  }
}

TEST_F(FolderTest, WhatCannotBeReadIsNamed) {
  folder_.write("file", "text");
  std::filesystem::create_directory(folder_.path("folder"));
  const Folder folder = open();
  EXPECT_EQ(folder.read("none", buffer_, 9).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(folder.read("folder", buffer_, 9).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(folder.read("file", buffer_, 3).error().message, "file has more than 3 bytes");
  EXPECT_EQ(folder.open_folder("file").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(folder.open_folder("none").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(Folder::open(folder_.path("none")).error().kind, ErrorKind::NotFound);
}

TEST_F(FolderTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  const auto text = open().read("pipe", buffer_, 9);
  EXPECT_TRUE(!text || text->empty());
}

}  // namespace
}  // namespace personascope::files
