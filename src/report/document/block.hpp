// A report as a list of blocks. What is in it is decided once (run_report.hpp); HTML, Markdown and
// LaTeX render the same blocks. Texts may come from outside and are not escaped yet.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/findings.hpp"
#include "report/chart/chart.hpp"

namespace personascope::report {

struct HeadingBlock {
  int level = 1;  // 1 is the report's title
  std::string text;
};

struct ParagraphBlock {
  std::string text;
};

// Names with their texts, a line each.
struct FactsBlock {
  std::vector<std::pair<std::string, std::string>> facts;
};

struct TableBlock {
  std::string title;
  std::vector<std::string> headings;
  std::vector<bool> is_number;  // by column: to the right
  std::vector<std::vector<std::string>> rows;
  std::string meaning;
};

struct NotesBlock {
  std::vector<core::Note> notes;
};

// Where there are no pictures, tables say the same.
struct ChartBlock {
  Chart chart;
};

// An item with its texts: closed until the reader opens it, where that is possible.
struct TranscriptBlock {
  struct Section {
    std::string heading;
    std::string text;
  };
  std::string title;
  std::vector<Section> sections;
};

using Block = std::variant<HeadingBlock, ParagraphBlock, FactsBlock, TableBlock, NotesBlock,
                           ChartBlock, TranscriptBlock>;

// Each gives the whole document. HTML is one file that loads nothing and has no script.
std::string render_html(const std::vector<Block>& blocks, const std::string& title);
std::string render_markdown(const std::vector<Block>& blocks);
// With booktabs tables, ready for \input: no preamble.
std::string render_latex(const std::vector<Block>& blocks);

}  // namespace personascope::report
