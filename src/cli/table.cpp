#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "cli/wrap.hpp"
#include "core/measure_text.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kNarrowest = 8;       // of a column that may be cut
constexpr std::size_t kNarrowestText = 24;  // of a column of sentences
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// At most so many characters, the last of them an ellipsis if something was cut.
std::string cut(const std::string& text, std::size_t columns) {
  if (width(text) <= columns) return text;
  std::string kept;
  for (std::size_t bytes = text.size(); bytes > 0 && width(kept) != columns; --bytes) {
    kept = shorten(text, bytes);
    if (width(kept) <= columns) break;
  }
  return kept;
}

}  // namespace

Table::Table(std::vector<std::string> headings, std::vector<Align> aligns)
    : headings_(std::move(headings)), aligns_(std::move(aligns)) {
  aligns_.resize(headings_.size(), Align::Left);
}

void Table::add(std::vector<Cell> row) {
  rows_.push_back(std::move(row));
}

std::string Table::render() const {
  return render(is_terminal(stdout) ? columns(stdout) : kNoLimit);
}

bool Table::fit(std::size_t columns, std::vector<std::size_t>& widths,
                std::vector<bool>& shown) const {
  const auto total = [&] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) sum += shown[i] ? widths[i] + 2 : 0;
    return sum < 2 ? 0 : sum - 2;
  };
  for (const std::size_t column : droppable_)
    if (total() > columns) shown[column] = false;
  const auto by_width = [&](std::size_t one, std::size_t other) {
    return widths[one] < widths[other];
  };
  while (!shortened_.empty() && total() > columns) {
    std::size_t& widest = widths[*std::ranges::max_element(shortened_, by_width)];
    if (widest <= kNarrowest) break;
    --widest;
  }
  if (wrapped_ && shown[*wrapped_] && total() > columns) {
    const std::size_t others = total() - widths[*wrapped_];
    if (others + kNarrowestText <= columns) widths[*wrapped_] = columns - others;
  }
  return total() <= columns;
}

std::string Table::render(std::size_t columns) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    std::size_t widest = width(headings_[i]);
    for (const auto& row : rows_) widest = std::max(widest, width(row[i].text));
    widths.push_back(widest);
  }
  std::vector<bool> shown(headings_.size(), true);
  if (!fit(columns, widths, shown)) return render_stacked(columns);
  std::size_t last_shown = shown.size() - 1;
  while (last_shown > 0 && !shown[last_shown]) --last_shown;
  const auto render_line = [&](const std::vector<Cell>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!shown[i]) continue;
      const std::string text = cut(row[i].text, widths[i]);
      const std::string blanks(widths[i] - width(text), ' ');
      const std::string painted = paint(stdout, row[i].colour, text);
      const bool last = i == last_shown;
      line += aligns_[i] == Align::Right ? blanks + painted : painted + (last ? "" : blanks);
      if (!last) line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  const auto render_row = [&](std::vector<Cell> row) {
    if (!wrapped_ || width(row[*wrapped_].text) <= widths[*wrapped_]) return render_line(row);
    std::string lines;
    const std::string text = wrap(row[*wrapped_].text, widths[*wrapped_]);
    for (const std::string_view part : split(trim(text), '\n')) {
      row[*wrapped_].text = part;
      lines += render_line(row);
      for (Cell& cell : row) cell.text.clear();
    }
    return lines;
  };
  std::vector<Cell> heading;
  for (const std::string& text : headings_) heading.emplace_back(text, Colour::Bold);
  std::string text = render_line(heading);
  for (const auto& row : rows_) text += render_row(row);
  return text;
}

std::string Table::render_stacked(std::size_t columns) const {
  std::size_t widest = 0;
  for (const std::string& heading : headings_) widest = std::max(widest, width(heading));
  std::string text;
  for (const auto& row : rows_) {
    if (!text.empty()) text += "\n";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].text.empty()) continue;
      const std::string lines = wrap(row[i].text, columns, widest + 2);
      text += paint(stdout, Colour::Bold, headings_[i]) + lines.substr(width(headings_[i]));
    }
  }
  return text;
}

std::string render_count(long long number) {
  return core::render_count(number);
}

std::string render_money(double us_dollars) {
  if (us_dollars == 0) return "$0";
  if (us_dollars >= 0.1) return fmt::format("${:.2f}", us_dollars);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(us_dollars))) + 1, 2, 8);
  return fmt::format("${:.{}f}", us_dollars, digits);
}

}  // namespace personascope::cli
