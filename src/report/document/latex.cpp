#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "report/document/block.hpp"
#include "report/row_writer.hpp"

namespace personascope::report {
namespace {

std::string tex(std::string_view text) {
  return escape_latex(printable(text, Newlines::Keep));
}

std::string typeset(const HeadingBlock& heading) {
  constexpr std::array kCommands{"section*", "subsection*", "subsubsection*", "paragraph"};
  const auto level = static_cast<std::size_t>(std::max(heading.level, 1) - 1);
  return fmt::format("\\{}{{{}}}\n\n", kCommands[std::min(level, kCommands.size() - 1)],
                     tex(heading.text));
}

std::string typeset(const ParagraphBlock& paragraph) {
  return tex(paragraph.text) + "\n\n";
}

std::string typeset(const FactsBlock& block) {
  if (block.facts.empty()) return "";
  std::string text = "\\begin{description}\n";
  for (const auto& [name, fact] : block.facts)
    text += fmt::format("\\item[{{{}}}] {}\n", tex(name), tex(fact));
  return text + "\\end{description}\n\n";
}

std::string typeset_row(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (text.empty() ? "" : " & ") + tex(cell);
  return text + " \\\\\n";
}

std::string typeset(const TableBlock& table) {
  std::string columns;
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    columns += i < table.is_number.size() && table.is_number[i] ? 'r' : 'l';
  std::string text = "\\begin{table}[htbp]\n\\centering\n";
  const std::string caption = table.title + (table.meaning.empty() ? "" : ". " + table.meaning);
  if (!caption.empty()) text += fmt::format("\\caption{{{}}}\n", tex(caption));
  text += fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n", columns,
                      typeset_row(table.headings));
  for (const auto& row : table.rows) text += typeset_row(row);
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n\n";
}

std::string typeset(const NotesBlock& block) {
  if (block.notes.empty()) return "";
  std::string text = "\\begin{itemize}\n";
  for (const core::Note& note : block.notes) {
    const std::string subjects = join(note.subjects, "; ");
    text +=
        fmt::format("\\item {}{}{}\n", tex(subjects), subjects.empty() ? "" : ": ", tex(note.text));
  }
  return text + "\\end{itemize}\n\n";
}

// `plot` draws them as PDF; the tables have their numbers.
std::string typeset(const ChartBlock&) {
  return "";
}

std::string typeset(const TranscriptBlock& transcript) {
  std::string text = fmt::format("\\paragraph{{{}}}\n\n", tex(transcript.title));
  for (const TranscriptBlock::Section& section : transcript.sections)
    text += fmt::format("\\emph{{{}:}}\n\\begin{{quote}}\n{}\n\\end{{quote}}\n\n",
                        tex(section.heading), tex(section.text));
  return text;
}

}  // namespace

std::string render_latex(const std::vector<Block>& blocks) {
  std::string text = "% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}\n";
  for (const Block& block : blocks)
    text += std::visit([](const auto& shape) { return typeset(shape); }, block);
  return text;
}

}  // namespace personascope::report
