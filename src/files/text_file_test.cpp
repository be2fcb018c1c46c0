#include "files/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>

#include "files/testing/temporary_folder.hpp"

namespace personascope::files {
namespace {

namespace fs = std::filesystem;

std::size_t count_files(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(TextFile, IsReadByteForByte) {
  const TemporaryFolder folder;
  const std::string text("a\r\n\0\xFF\n\n", 7);
  EXPECT_EQ(load_text(folder.write("file", text)).value(), text);
  EXPECT_EQ(load_text(folder.write("empty", "")).value(), "");
  const std::string large(300'000, 'x');
  EXPECT_EQ(load_text(folder.write("large", large)).value(), large);
}

TEST(TextFile, WhatCannotBeReadIsAValueWithItsKind) {
  const TemporaryFolder folder;
  EXPECT_EQ(load_text(folder.path("none")).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(load_text("").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(load_text(folder.path("")).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(load_text(folder.path(std::string(5000, 'x'))).error().kind, ErrorKind::NotFound);
}

TEST(TextFile, AReadThatFailsHalfWayIsNotTakenForTheEnd) {
  EXPECT_EQ(load_text("/proc/self/mem").error().kind, ErrorKind::Invalid);
}

TEST(TextFile, AFileWithoutEndIsReadUpToTheBound) {
  const auto text = load_text("/dev/zero", 1 << 20);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "/dev/zero is larger than 1 MB");
}

TEST(TextFile, TheBoundItselfIsAllowed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "12345");
  EXPECT_TRUE(load_text(path, 5));
  EXPECT_FALSE(load_text(path, 4));
}

TEST(TextFile, ANewFileAppearsWholeAtCommit) {
  const TemporaryFolder folder;
  auto file = NewFile::create(folder.path("out"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("one\n"));
  ASSERT_TRUE(file->write(std::string("two\0", 4)));
  EXPECT_FALSE(fs::exists(folder.path("out")));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(load_text(folder.path("out")).value(), std::string("one\ntwo\0", 8));
  EXPECT_EQ(count_files(folder.path("")), 1u);
}

TEST(TextFile, WithoutCommitTheOldFileStaysAndNothingIsLeftBehind) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  {
    auto file = NewFile::create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("new"));
    NewFile moved = std::move(*file);
    ASSERT_TRUE(moved.write("er"));
  }
  EXPECT_EQ(load_text(path).value(), "old");
  EXPECT_EQ(count_files(folder.path("")), 1u);
}

TEST(TextFile, TwoWritersOfOneNameDoNotMix) {
  const TemporaryFolder folder;
  const std::string path = folder.path("out");
  auto first = NewFile::create(path);
  auto second = NewFile::create(path);
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first->write("first, and long"));
  ASSERT_TRUE(second->write("second"));
  ASSERT_TRUE(first->commit());
  EXPECT_EQ(load_text(path).value(), "first, and long");
  ASSERT_TRUE(second->commit());
  EXPECT_EQ(load_text(path).value(), "second");
}

TEST(TextFile, ACommitThatCannotPutTheFileInPlaceSaysSo) {
  const TemporaryFolder folder;
  auto file = NewFile::create(folder.path("out"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("text"));
  // The folder goes away under the file: the commit must notice.
  fs::remove_all(folder.path(""));
  const auto committed = file->commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().kind, ErrorKind::Storage);
}

TEST(TextFile, ANameAsLongAsNamesCanBeIsWritten) {
  const TemporaryFolder folder;
  auto file = NewFile::create(folder.path(std::string(255, 'n')));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->commit());
}

TEST(TextFile, APlaceThatCannotBeWrittenIsRefusedBeforeAnythingIsMade) {
  const TemporaryFolder folder;
  for (const std::string& path :
       {std::string(), std::string("-"), folder.path(""), folder.path("none/out"),
        folder.path("none/"), folder.write("file", "") + "/out", std::string("/dev/null"),
        std::string("/proc/out")}) {
    const auto file = NewFile::create(path);
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().kind, ErrorKind::Invalid) << path;
  }
  EXPECT_EQ(count_files(folder.path("")), 1u);
}

TEST(TextFile, AReadOnlyFolderIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  chmod(folder.path("").c_str(), 0500);
  EXPECT_EQ(NewFile::create(folder.path("out")).error().kind, ErrorKind::Invalid);
  chmod(folder.path("").c_str(), 0700);
}

TEST(TextFile, AnErrorShowsNoControlCharactersOfAName) {
  const auto text = load_text("/no/\x1B[2J");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message.find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace personascope::files
