#include "files/part.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "files/testing/temporary_folder.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

namespace fs = std::filesystem;

long count_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

unsigned mode_of(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST(Part, IsReadableToTheUserAlone) {
  const TemporaryFolder folder;
  const auto file = Part::make_file(folder.path(""));
  const auto made = Part::make_folder(folder.path(""));
  ASSERT_TRUE(file && made);
  EXPECT_EQ(mode_of(file->path()), 0600u);
  EXPECT_EQ(mode_of(made->path()), 0700u);
  EXPECT_TRUE(fs::is_directory(made->path()));
}

TEST(Part, IsNotRemovedWhileItsOwnerLives) {
  const TemporaryFolder folder;
  const auto file = Part::make_file(folder.path(""));
  const auto made = Part::make_folder(folder.path(""));
  ASSERT_TRUE(file && made);
  remove_dead_parts(folder.path(""));
  EXPECT_EQ(count_in(folder.path("")), 2);
}

// A process of the same number in another container cannot be asked after by its number.
TEST(Part, OfADeadProcessIsRemovedAndNothingElse) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    const auto file = Part::make_file(folder.path(""));
    const auto made = Part::make_folder(folder.path(""));
    if (file && made) std::ofstream(made->path() + "/inside") << "x";
    _exit(file && made ? 0 : 1);  // destroys neither
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ASSERT_EQ(count_in(folder.path("")), 2);
  folder.write(".personascope-1-1.part", "of an older version, which had no locks");
  folder.write(".personascope-mine", "the user's");
  folder.write("kept", "the user's");
  fs::create_symlink(folder.path("kept"), folder.path(".personascope-abcdef.part"));
  remove_dead_parts(folder.path(""));
  EXPECT_EQ(count_in(folder.path("")), 4);
  EXPECT_EQ(load_text(folder.path("kept")).value(), "the user's");
}

TEST(Part, OfAnotherUserIsLeftAlone) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const TemporaryFolder folder;
  const std::string theirs = folder.write(".personascope-abcdef.part", "x");
  ASSERT_EQ(chown(theirs.c_str(), 12345, 12345), 0);
  remove_dead_parts(folder.path(""));
  EXPECT_TRUE(fs::exists(theirs));
}

TEST(Part, CannotBeMadeWhereNothingCanBeWritten) {
  for (const char* folder : {"/proc", "/no/such/folder"}) {
    EXPECT_EQ(Part::make_file(folder).error().kind, ErrorKind::Invalid);
    EXPECT_EQ(Part::make_folder(folder).error().kind, ErrorKind::Invalid);
  }
}

TEST(Part, AFileThatIsWholeHasThePermissionsOfTheUmaskOrOfTheFileBefore) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  for (const unsigned expected : {0640u, 0604u}) {
    auto file = NewFile::create(folder.path("out"));
    ASSERT_TRUE(file && file->write("x") && file->commit());
    EXPECT_EQ(mode_of(folder.path("out")), expected);
    chmod(folder.path("out").c_str(), 0604);
  }
  umask(before);
}

TEST(Part, ALinkOfTheOutputsNameIsReplacedAndNotFollowed) {
  const TemporaryFolder folder;
  const std::string precious = folder.write("precious", "old");
  fs::create_symlink(precious, folder.path("out"));
  auto file = NewFile::create(folder.path("out"));
  ASSERT_TRUE(file && file->write("new") && file->commit());
  EXPECT_EQ(load_text(precious).value(), "old");
  EXPECT_FALSE(fs::is_symlink(folder.path("out")));
  EXPECT_EQ(load_text(folder.path("out")).value(), "new");
}

TEST(Part, WhatIsLongerThanTheBufferIsWrittenWhole) {
  const TemporaryFolder folder;
  auto file = NewFile::create(folder.path("out"));
  ASSERT_TRUE(file);
  std::string all;
  for (int i = 0; i < 100; ++i) {
    const std::string piece(static_cast<std::size_t>(i) * 100, static_cast<char>('a' + i % 26));
    all += piece;
    ASSERT_TRUE(file->write(piece));
  }
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(load_text(folder.path("out")).value(), all);
}

}  // namespace
}  // namespace personascope::files
