#include <gtest/gtest.h>

#include "base/text.hpp"
#include "report/document/block.hpp"
#include "report/document/findings_tables.hpp"
#include "report/document/transcript.hpp"

namespace personascope::report {
namespace {

const std::vector<std::string> kCorpus{
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "[click](javascript:alert(1))",
    "<a href='javascript:alert(1)'>x</a>",
    "\x1b[2J\x1b[31mred",
    "safe\xE2\x80\xAEtxt.exe",
    "</pre></details></style><script>",
    "```\n# heading\n```",
    "| a | b |\n\\input{/etc/passwd}",
};

// Every place of a document where a text from outside can stand.
std::vector<Block> make_blocks(const std::string& text) {
  return {HeadingBlock{1, text},
          ParagraphBlock{text},
          FactsBlock{{{text, text}}},
          TableBlock{text, {text, text}, {false, true}, {{text, text}}, text},
          NotesBlock{{{core::Severity::Warning, {text}, text}}},
          ChartBlock{OutcomeBars{text, {{text, {}}}}},
          TranscriptBlock{text, {{text, text}}}};
}

TEST(HtmlReport, ShowsHostileTextAsText) {
  for (const std::string& text : kCorpus) {
    const std::string html = render_html(make_blocks(text), text);
    SCOPED_TRACE(printable(text));
    for (const char* forbidden :
         {"<script", "<img", "<a ", "\" onmouseover", "<h1>#", "\x1b", "\xE2\x80\xAE"})
      EXPECT_EQ(html.find(forbidden), std::string::npos) << forbidden;
    // Its own elements are all still closed where it closes them.
    EXPECT_TRUE(html.ends_with("</main>\n</body>\n</html>\n"));
    EXPECT_EQ(html.find("</style>"), html.rfind("</style>"));
  }
}

TEST(HtmlReport, LoadsNothingAndRunsNothing) {
  const std::string html = render_html(make_blocks("text"), "title");
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  for (const char* forbidden : {"<script", " src=", "url(", "@import", "<link", "<iframe"})
    EXPECT_EQ(html.find(forbidden), std::string::npos) << forbidden;
}

TEST(HtmlReport, TakesALineOfAMegabyte) {
  const std::string html = render_html({ParagraphBlock{std::string(1 << 20, '<')}}, "");
  EXPECT_GT(html.size(), 4u << 20);
  EXPECT_EQ(html.find("<<"), std::string::npos);
}

TEST(MarkdownReport, ShowsHostileTextAsText) {
  for (const std::string& text : kCorpus) {
    const std::string markdown = render_markdown(make_blocks(text));
    SCOPED_TRACE(printable(text));
    EXPECT_EQ(markdown.find('\x1b'), std::string::npos);
    // Outside of fences no markup is left.
    const std::string before_fence = markdown.substr(0, markdown.find("```"));
    for (const char* forbidden : {"<script", "<img", "<a ", " [click]"})
      EXPECT_EQ(before_fence.find(forbidden), std::string::npos) << forbidden;
  }
}

TEST(MarkdownReport, FencesTextsThatHaveFences) {
  const std::string markdown =
      render_markdown({TranscriptBlock{"item", {{"Answer", "a\n````\n# b"}}}});
  EXPECT_NE(markdown.find("`````text\na\n````\n# b\n`````\n"), std::string::npos);
}

TEST(LatexReport, EscapesCommands) {
  for (const std::string& text : kCorpus) {
    const std::string latex = render_latex(make_blocks(text));
    EXPECT_EQ(latex.find("\\input"), std::string::npos);
    EXPECT_EQ(latex.find('\x1b'), std::string::npos);
  }
  EXPECT_NE(render_latex({ParagraphBlock{"50 % of $1 & more_"}}).find("50 \\% of \\$1 \\& more\\_"),
            std::string::npos);
}

TEST(FindingsTables, HaveIntervalsOrTheReasonForNone) {
  core::Metric with;
  with.group = "task";
  with.value = 0.5;
  with.interval = core::Interval{0.4, 0.6};
  with.unit = core::kShareUnit;
  with.n = 12;
  core::Metric without = with;
  without.group.clear();
  without.name = "all";
  without.interval.reset();
  without.no_interval = "needs 5 personas";
  const TableBlock table = tabulate(core::MetricList{"Scores", "task", {with, without}, ""});
  EXPECT_EQ(table.headings, (std::vector<std::string>{"task", "value", "95 % interval", "n"}));
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"task", "50.0 %", "40.0 to 60.0 %", "12"}));
  EXPECT_EQ(table.rows[1][2], "none (needs 5 personas)");
}

TEST(FindingsTables, TakeRaggedParts) {
  core::Matrix matrix{"m", "r", "c", {"a", "b"}, {"x"}, {{1}}, ""};
  EXPECT_EQ(tabulate(matrix).rows.size(), 1u);
  core::Table table{"t", {{"a", "", false}}, {{{{}, {}, "1"}, {{}, {}, "2"}}}, ""};
  EXPECT_EQ(tabulate(table).rows[0].size(), 1u);
}

TEST(Transcript, HasTextsTurnsAndVerdicts) {
  core::ItemRecord item;
  item.id = "p1/1";
  item.outcome = core::Outcome::Scored;
  item.score = 4;
  item.document = {{"persona", "A baker"},
                   {"answer", "Bread."},
                   {"thoughts", nullptr},
                   {"dialogue", {{{"role", "user"}, {"content", "Hello"}}}},
                   {"judges",
                    {{{"judge", "openai/j"},
                      {"verdict", "scored"},
                      {"score", 4},
                      {"text", R"({"rationale": "In role."})"}}}}};
  const TranscriptBlock block = make_transcript(7, item);
  EXPECT_EQ(block.title, "p1/1: scored, score 4");
  ASSERT_EQ(block.sections.size(), 4u);
  EXPECT_EQ(block.sections[1].text, "Bread.");
  EXPECT_EQ(block.sections[2].heading, "user");
  EXPECT_EQ(block.sections[3].text, "In role.");
}

TEST(Transcript, CutsLongTextsAndSaysSo) {
  core::ItemRecord item;
  item.id = "long";
  item.document = {{"answer", std::string(1 << 20, 'x')}};
  const TranscriptBlock block = make_transcript(7, item);
  ASSERT_EQ(block.sections.size(), 1u);
  EXPECT_LT(block.sections[0].text.size(), kLongestTranscriptText + 200);
  EXPECT_NE(block.sections[0].text.find("1048576 bytes in all"), std::string::npos);
}

}  // namespace
}  // namespace personascope::report
