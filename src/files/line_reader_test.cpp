#include "files/line_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "files/testing/temporary_folder.hpp"

namespace personascope::files {
namespace {

using Lines = std::vector<std::pair<std::int64_t, std::string>>;

Lines read_all(const std::string& path) {
  auto reader = LineReader::open(path);
  EXPECT_TRUE(reader);
  Lines lines;
  for (;;) {
    auto line = reader->next();
    EXPECT_TRUE(line);
    if (!line || !*line) return lines;
    lines.emplace_back(reader->line_number(), **line);
  }
}

struct LineCase {
  std::string text;
  Lines lines;
};

TEST(LineReader, GivesTheLinesThatAreNotBlankWithTheirNumbers) {
  const LineCase cases[] = {
      {"", {}},
      {"\n\n", {}},
      {"a", {{1, "a"}}},
      {"a\n", {{1, "a"}}},
      {"a\nb", {{1, "a"}, {2, "b"}}},
      {"a\r\nb\r\n", {{1, "a"}, {2, "b"}}},
      {"a\r", {{1, "a"}}},
      {"a\r\r\n", {{1, "a\r"}}},
      {"\n \t\r\n\na\n\n", {{4, "a"}}},
      {" a \n", {{1, " a "}}},
      {"\xEF\xBB\xBF{}\n", {{1, "{}"}}},
      {"\xEF\xBB\xBF", {}},
      {"\xEF\xBB\xBF\nb", {{2, "b"}}},
      {"a\n\xEF\xBB\xBF"
       "b",
       {{1, "a"},
        {2,
         "\xEF\xBB\xBF"
         "b"}}},
      {std::string("a\0b\n\0\n", 6), {{1, std::string("a\0b", 3)}, {2, std::string("\0", 1)}}},
      {"\xFF\xFE\n", {{1, "\xFF\xFE"}}},
      {"a\n   ", {{1, "a"}}},
  };
  const TemporaryFolder folder;
  for (const LineCase& row : cases)
    EXPECT_EQ(read_all(folder.write("file", row.text)), row.lines) << row.text;
}

TEST(LineReader, StaysAtTheEnd) {
  const TemporaryFolder folder;
  auto reader = LineReader::open(folder.write("file", "a\n"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->next().value(), "a");
  EXPECT_FALSE(reader->next().value());
  EXPECT_FALSE(reader->next().value());
}

TEST(LineReader, ALineOfThirtyTwoMegabytesIsReadAndALongerOneIsRefused) {
  const TemporaryFolder folder;
  const std::string longest(32u << 20, 'x');
  EXPECT_EQ(read_all(folder.write("file", longest + "\nb")).size(), 2u);
  auto reader = LineReader::open(folder.write("file", "a\n" + longest + "x\nb"));
  ASSERT_TRUE(reader->next());
  const auto line = reader->next();
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().kind, ErrorKind::Invalid);
  EXPECT_NE(line.error().message.find("line 2: longer than 32 MB"), std::string::npos);
}

TEST(LineReader, ALineWithoutEndDoesNotFillTheMemory) {
  auto reader = LineReader::open("/dev/zero");
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->next().error().kind, ErrorKind::Invalid);
}

TEST(LineReader, WhatCannotBeOpenedIsAValueWithItsKind) {
  const TemporaryFolder folder;
  EXPECT_EQ(LineReader::open(folder.path("none")).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(LineReader::open(folder.path("")).error().kind, ErrorKind::Invalid);
  EXPECT_EQ(LineReader::open("-").error().kind, ErrorKind::NotFound);
}

TEST(LineReader, AReadThatFailsIsAValueToo) {
  auto reader = LineReader::open("/proc/self/mem");
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->next().error().kind, ErrorKind::Invalid);
}

}  // namespace
}  // namespace personascope::files
