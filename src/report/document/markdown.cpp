#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/document/block.hpp"
#include "report/row_writer.hpp"

namespace personascope::report {
namespace {

// On one line.
std::string write_line(std::string_view text) {
  return escape_markdown(printable(text, Newlines::Keep));
}

// A fence longer than any run of backquotes in the text, so that nothing in it can end it.
std::string write_fenced(const std::string& text) {
  const std::string shown = printable(text, Newlines::Keep);
  std::size_t longest = 2;
  for (std::size_t at = 0, run = 0; at < shown.size(); ++at) {
    run = shown[at] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}text\n{}\n{}\n\n", fence, shown, fence);
}

std::string write_block(const HeadingBlock& heading) {
  return fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(heading.level), '#'),
                     write_line(heading.text));
}

std::string write_block(const ParagraphBlock& paragraph) {
  return write_line(paragraph.text) + "\n\n";
}

std::string write_block(const FactsBlock& block) {
  std::string text;
  for (const auto& [name, fact] : block.facts)
    text += fmt::format("- {}: {}\n", write_line(name), write_line(fact));
  return text + "\n";
}

std::string write_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += fmt::format(" {} |", write_line(cell));
  return text + "\n";
}

std::string write_block(const TableBlock& table) {
  std::string text;
  if (!table.title.empty()) text += fmt::format("**{}**\n\n", write_line(table.title));
  text += write_row(table.headings) + "|";
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    text += i < table.is_number.size() && table.is_number[i] ? "---:|" : "---|";
  text += "\n";
  for (const auto& row : table.rows) text += write_row(row);
  text += "\n";
  return table.meaning.empty() ? text : text + write_line(table.meaning) + "\n\n";
}

std::string write_block(const NotesBlock& block) {
  std::string text;
  for (const core::Note& note : block.notes) {
    const std::string subjects = join(note.subjects, "; ");
    text += fmt::format("- {}{}{}\n", write_line(subjects), subjects.empty() ? "" : ": ",
                        write_line(note.text));
  }
  return text + "\n";
}

// `plot` draws them; the tables have their numbers.
std::string write_block(const ChartBlock&) {
  return "";
}

std::string write_block(const TranscriptBlock& transcript) {
  std::string text = fmt::format("#### {}\n\n", write_line(transcript.title));
  for (const TranscriptBlock::Section& section : transcript.sections)
    text += fmt::format("{}:\n\n{}", write_line(section.heading), write_fenced(section.text));
  return text;
}

}  // namespace

std::string render_markdown(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks)
    text += std::visit([](const auto& shape) { return write_block(shape); }, block);
  return text;
}

}  // namespace personascope::report
