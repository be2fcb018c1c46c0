#include "files/row_reader.hpp"

#include <gtest/gtest.h>

#include "files/testing/temporary_folder.hpp"

namespace personascope::files {
namespace {

// Every row as "line 2: a=1 b=x", or the error's message.
std::string read_rows(std::string_view text, const char* name = "data.csv",
                      const std::string& program = "") {
  const TemporaryFolder folder;
  const auto reader = RowReader::open(folder.write(name, text), program);
  if (!reader) return reader.error().message;
  std::string all;
  Row row;
  for (;;) {
    const auto more = (*reader)->next(row);
    if (!more) return all + more.error().message;
    if (!*more) return all;
    all += fmt::format("{} {}:", (*reader)->unit(), row.number);
    for (const auto& [column, cell] : row.cells) all += fmt::format(" {}={}", column, cell);
    all += row.fault.empty() ? "\n" : " ! " + row.fault + "\n";
  }
}

bool has_part(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(RowReader, TellsTheFormByHowTheFileBegins) {
  EXPECT_EQ(read_rows(",a\n0,x\n"), "line 2: =0 a=x\n");
  EXPECT_EQ(read_rows("a\tb\n1\t2,3\n", "data.tsv"), "line 2: a=1 b=2,3\n");
  EXPECT_EQ(read_rows("\xEF\xBB\xBF{\"a\": 1}\n\n{\"b\": null}\n"), "line 1: a=1\nline 3: b=\n");
  EXPECT_EQ(read_rows(" \n [{\"a\": \"x\"}, 7]"), "row 1: a=x\nrow 2: ! not a JSON object\n");
}

TEST(RowReader, ValuesBecomeTextThatPeopleRead) {
  EXPECT_EQ(cell_text(Json::parse(R"({"b": [1, 2.5], "a": true})")), "a: true, b: 1, 2.5");
  EXPECT_EQ(cell_text(Json(44.0)), "44");
  EXPECT_EQ(cell_text(Json(-0.5)), "-0.5");
  EXPECT_EQ(cell_text(Json(1e300)), "1e+300");
  EXPECT_EQ(cell_text(Json()), "");
}

TEST(RowReader, WhatCannotBeReadSaysWhatToDo) {
  EXPECT_TRUE(has_part(read_rows("PAR1"), "`personascope import persona-bench "));
  EXPECT_TRUE(has_part(read_rows("PAR1", "x", "/nowhere/p"), "run scripts/setup-parquet"));
  EXPECT_TRUE(has_part(read_rows("a,b\n1\n"), "1 cells where the header has 2"));
  EXPECT_TRUE(has_part(read_rows("PK\x03\x04"), "unpack it first"));
}

TEST(RowReader, AProgramThatFailsIsNotBelieved) {
  const TemporaryFolder folder;
  const auto make = [&](const char* name, const char* text) {
    const std::string path = folder.write(name, text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  };
  EXPECT_EQ(read_rows("PAR1", "x", make("good", "#!/bin/sh\necho '{\"a\": 1}'\n")), "row 1: a=1\n");
  EXPECT_TRUE(has_part(
      read_rows("PAR1", "x", make("bad", "#!/bin/sh\necho '{\"a\": 1}'\necho torn >&2\nexit 2\n")),
      "cannot be read as Parquet: torn"));
}

}  // namespace
}  // namespace personascope::files
