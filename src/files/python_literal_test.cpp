#include "files/python_literal.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

// Worked out by Python: tools/make_python_tables.py.
TEST(PythonLiteral, IsReadAsPythonReadsItAndRefusedWherePythonRefuses) {
  const auto table = load_text(PERSONASCOPE_FILES_TESTDATA "/python_literals.jsonl");
  ASSERT_TRUE(table) << table.error().message;
  int good = 0, bad = 0;
  for (const std::string_view line : split(trim(*table), '\n')) {
    const auto row = parse_json(line);
    ASSERT_TRUE(row) << line;
    const auto value = parse_python_literal(row->at("source").get<std::string>());
    if (row->contains("value")) {
      ++good;
      ASSERT_TRUE(value) << line << ": " << value.error().message;
      EXPECT_EQ(render_json(*value), render_json(row->at("value"))) << line;
    } else {
      ++bad;
      ASSERT_FALSE(value) << line << ": " << render_json(*value);
      EXPECT_EQ(value.error().kind, ErrorKind::Unparsable) << line;
    }
  }
  EXPECT_GT(good, 60);
  EXPECT_GT(bad, 40);
}

TEST(PythonLiteral, WhatPythonKnowsAndJsonCannotHoldIsRefusedWithAReason) {
  const std::pair<std::string, std::string> cases[] = {
      {"b'a'", "bytes"},
      {R"('\N{DASH}')", "by its name"},
      {R"('\ud83d')", "not a character"},
      {"{1: 'a'}", "key that is not text"},
      {"{'a', 'b'}", "a set"},
      {"1e999", "expression"},
      {"99999999999999999999", "expression"},
      {"2j", "expression"},
      {"...", "expression"},
      {std::string(101, '[') + std::string(101, ']'), "nested deeper"},
      {std::string(2'000'000, '('), "nested deeper"},
  };
  for (const auto& [source, reason] : cases) {
    const auto value = parse_python_literal(source);
    ASSERT_FALSE(value) << source.substr(0, 40);
    EXPECT_NE(value.error().message.find(reason), std::string::npos) << value.error().message;
  }
}

TEST(PythonLiteral, AnErrorTellsTheLine) {
  const auto value = parse_python_literal("[\n 'a',\n b,\n]");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message,
            "not a Python literal: an expression where a literal is expected (line 3)");
}

}  // namespace
}  // namespace personascope::files
