#include "files/table_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "files/testing/temporary_folder.hpp"

namespace personascope::files {
namespace {

class TableReaderTest : public testing::Test {
 protected:
  std::string write(std::string_view text, const char* name = "table.csv") {
    return folder_.write(name, std::string(text));
  }

  // The rows as "a|b" joined by newlines, or the error's message.
  std::string read(std::string_view text, const char* name = "table.csv") {
    auto reader = TableReader::open(write(text, name));
    if (!reader) return reader.error().message;
    std::string all = show(reader->columns());
    std::vector<std::string> cells;
    for (;;) {
      const auto more = reader->next(cells);
      if (!more) return more.error().message;
      if (!*more) return all;
      all += "\n" + show(cells);
    }
  }

  static std::string show(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : "|") + cell;
    return line;
  }

  TemporaryFolder folder_;
};

TEST_F(TableReaderTest, ReadsWhatPeopleHave) {
  const std::pair<const char*, const char*> cases[] = {
      {"a,b\n1,2\n", "a|b\n1|2"},
      {"a,b\n1,2", "a|b\n1|2"},
      {"a,b\r\n1,2\r\n", "a|b\n1|2"},
      {"\xEF\xBB\xBF"
       "a,b\n1,2\n",
       "a|b\n1|2"},
      {"\n\na,b\n\n1,2\n\n", "a|b\n1|2"},
      {" a , b\n1,2\n", "a|b\n1|2"},
      {"a,b\n\"x, y\",\"he said \"\"no\"\"\"\n", "a|b\nx, y|he said \"no\""},
      {"a,b\n\"two\nlines\",2\n3,4\n", "a|b\ntwo\nlines|2\n3|4"},
      {"a,b\n\"x\" ,2\n", "a|b\nx|2"},
      {"a\n1\n\n2\n", "a\n1\n\n2"},  // of a single column a blank line is an empty cell
      {"a,b\n1,\n,2\n", "a|b\n1|\n2"},
      {"a,b\n", "a|b"},
      {"{\"b\": 2, \"a\": \"x\"}\n\n{\"a\": null, \"b\": 2.5}\r\n{\"b\": true}\n",
       "a|b\nx|2\n2.5\ntrue"},
      {"{\"a\": [1, {}]}", "a\n[1,{}]"},
  };
  for (const auto& [text, rows] : cases) EXPECT_EQ(read(text), rows) << text;
  EXPECT_EQ(read("a\tb\n1,5\t2\n", "table.tsv"), "a|b\n1,5|2");
}

TEST_F(TableReaderTest, TakesTheApostropheAwayThatGuardsFormulas) {
  EXPECT_EQ(read("a,b\n'=1,\"'-x\"\n''@y,'plain\n-4.5,it's\n"),
            "a|b\n=1|-x\n'@y|'plain\n-4.5|it's");
}

TEST_F(TableReaderTest, SaysWhereATableIsBroken) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "the table is empty"},
      {"\n\n", "the table is empty"},
      {"a,a\n", "line 1: the column \"a\" occurs twice"},
      {"a,,c\n", "line 1: column 2 has no name"},
      {"a,b\n1,2\n1\n", "line 3: 1 cells where the header has 2"},
      {"a,b\n\"x\ny\",2\n1,2,3\n", "line 4: 3 cells where the header has 2"},
      {"a,b\n1,\"2\n", "line 2: a quote is never closed"},
      {"a,b\n\"x\"y,2\n", "line 2: text after a closing quote"},
      {"{\"a\": 1}\n{\"a\": \n", "line 2: "},
      {"{\"a\": 1}\n[1]\n", "line 2: not a JSON object"},
      {"{\"a\": 1}\n{\"a\": 1, \"\\u001b[31m\": 2}\n", "line 2: the member"},
      {"{}\n{\"a\": 1}\n", "line 1: there are no columns"},
      {"{\"b\": 1}\n{\"a\": 1}\n", "line 2: the member \"a\" is not in the first line"},
  };
  for (const auto& [text, message] : cases) {
    const std::string said = read(text);
    EXPECT_NE(said.find(message), std::string::npos) << text << " gave: " << said;
    EXPECT_EQ(said.find('\x1b'), std::string::npos);
  }
  EXPECT_EQ(TableReader::open("/nowhere/table.csv").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(TableReader::open(testing::TempDir()).error().kind, ErrorKind::Invalid);
}

TEST_F(TableReaderTest, CellsMayCrossTheChunksItReads) {
  const std::string wide(700'000, 'x');
  EXPECT_EQ(read("a,b\n" + wide + ",\"" + wide + "\"\n1,2\n"),
            "a|b\n" + wide + "|" + wide + "\n1|2");
  std::string many = "a,b\n";
  for (int i = 0; i < 100'000; ++i)
    many += std::to_string(i) + ",\"q" + std::to_string(i) + "\"\r\n";
  auto reader = TableReader::open(write(many)).value();
  std::vector<std::string> cells;
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(reader.next(cells).value());
    ASSERT_EQ(cells[0], std::to_string(i));
    ASSERT_EQ(cells[1], "q" + cells[0]);
    ASSERT_EQ(reader.line_number(), i + 2);
  }
  EXPECT_FALSE(reader.next(cells).value());
}

TEST_F(TableReaderTest, BoundsARow) {
  const std::string huge(33u << 20, 'x');
  EXPECT_NE(read("a,b\n" + huge + ",1\n").find("line 2: longer than 32 MB"), std::string::npos);
  EXPECT_NE(read("a,b\n\"" + huge).find("line 2: longer than 32 MB"), std::string::npos);
  EXPECT_NE(read("{\"a\": 1}\n" + huge).find("longer than 32 MB"), std::string::npos);
}

}  // namespace
}  // namespace personascope::files
