#include "files/python_repr.hpp"

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "files/unicode.hpp"

namespace personascope::files {
namespace {

// Worked out by Python: tools/make_python_tables.py.
TEST(PythonRepr, TextsListsAndEveryCharacterArePrintedAsPythonPrintsThem) {
  const auto table = load_text(PERSONASCOPE_FILES_TESTDATA "/python_repr.jsonl");
  ASSERT_TRUE(table) << table.error().message;
  int texts = 0, lists = 0, digests = 0;
  for (const std::string_view line : split(trim(*table), '\n')) {
    const auto row = parse_json(line);
    ASSERT_TRUE(row) << line;
    if (const auto digest = find_text(*row, "every_character_sha256")) {
      std::string every_character;
      for (std::uint32_t code = 0; code <= 0x10FFFF; ++code)
        append_code_point(every_character, code);
      EXPECT_EQ(render_hex(sha256(render_python_repr(every_character))), *digest);
      ++digests;
      continue;
    }
    const Json& value = row->at("value");
    if (value.is_array()) {
      EXPECT_EQ(render_python_repr(value.get<std::vector<std::string>>()), row->at("repr"));
      ++lists;
    } else {
      EXPECT_EQ(render_python_repr(value.get<std::string>()), row->at("repr"));
      ++texts;
    }
  }
  EXPECT_GT(texts, 20);
  EXPECT_GT(lists, 4);
  EXPECT_EQ(digests, 1);
}

TEST(PythonRepr, BytesThatAreNotUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ(render_python_repr(std::string_view("a\xFF\xC3")), "'a\xEF\xBF\xBD\xEF\xBF\xBD'");
}

}  // namespace
}  // namespace personascope::files
