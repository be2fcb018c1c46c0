#include "report/row_writer.hpp"

#include <gtest/gtest.h>

namespace personascope::report {
namespace {

std::string write(RowFormat format, const std::vector<Json>& rows) {
  std::string text;
  const auto writer = make_row_writer(format, {"id", "score", "note"}, [&](std::string_view part) {
    text += part;
    return Result<void>{};
  });
  for (const Json& row : rows) EXPECT_TRUE(writer->write(row));
  EXPECT_TRUE(writer->finish());
  return text;
}

const std::vector<Json> kRows{{{"id", "a"}, {"score", -4.5}, {"more", 1}},
                              {{"id", "=b"}, {"note", "one, \"two\"\nthree"}}};

TEST(RowWriter, GivesEveryLineTheSameMembers) {
  EXPECT_EQ(write(RowFormat::Jsonl, kRows),
            "{\"id\":\"a\",\"note\":null,\"score\":-4.5}\n"
            "{\"id\":\"=b\",\"note\":\"one, \\\"two\\\"\\nthree\",\"score\":null}\n");
}

TEST(RowWriter, WritesOneArray) {
  EXPECT_EQ(write(RowFormat::Json, {}), "[]\n");
  const auto parsed = parse_json(write(RowFormat::Json, kRows));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->size(), 2U);
  EXPECT_EQ((*parsed)[1]["id"], "=b");
}

TEST(RowWriter, KeepsSpreadsheetsFromRunningTextsAndLeavesNumbersAlone) {
  EXPECT_EQ(write(RowFormat::Csv, kRows),
            "id,score,note\na,-4.5,\n\"'=b\",,\"one, \"\"two\"\"\nthree\"\n");
  EXPECT_EQ(render_csv_text("-1"), "\"'-1\"");
  EXPECT_EQ(render_csv_text("'=1"), "\"''=1\"") << "so that reading takes away one apostrophe only";
  EXPECT_EQ(render_csv_text("\tx"), "\"'\tx\"");
  EXPECT_EQ(render_csv_text("it's"), "\"it's\"");
  EXPECT_EQ(render_csv_text("plain"), "plain");
}

TEST(RowWriter, EscapesMarkdownAndHtml) {
  EXPECT_EQ(write(RowFormat::Markdown, {{{"id", "<b>|x"}, {"note", "[a](javascript:b)\nc"}}}),
            "| id | score | note |\n| --- | --- | --- |\n"
            "| &lt;b&gt;\\|x |  | \\[a](javascript:b)<br>c |\n");
}

TEST(RowWriter, EscapesLatex) {
  EXPECT_EQ(write(RowFormat::Latex, {{{"id", "a_b & 5 %"}, {"note", "\\input{x}~^"}}}),
            "% needs \\usepackage{booktabs,longtable}\n\\begin{longtable}{lll}\n\\toprule\n"
            "id & score & note \\\\\n\\midrule\n\\endhead\n"
            "a\\_b \\& 5 \\% &  & "
            "\\textbackslash{}input\\{x\\}\\textasciitilde{}\\textasciicircum{} \\\\\n"
            "\\bottomrule\n\\end{longtable}\n");
}

TEST(RowWriter, IsChosenByTheFilesEnding) {
  EXPECT_EQ(find_row_format("a/b.JSONL"), RowFormat::Jsonl);
  EXPECT_EQ(find_row_format("x.tex"), RowFormat::Latex);
  EXPECT_FALSE(find_row_format("x.xlsx"));
  EXPECT_FALSE(find_row_format("-"));
}

}  // namespace
}  // namespace personascope::report
