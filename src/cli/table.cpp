#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace personascope::cli {

Table::Table(std::vector<std::string> headings, std::vector<Align> aligns)
    : headings_(std::move(headings)), aligns_(std::move(aligns)) {
  aligns_.resize(headings_.size(), Align::Left);
}

void Table::add(std::vector<Cell> row) {
  rows_.push_back(std::move(row));
}

std::string Table::render() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    std::size_t widest = width(headings_[i]);
    for (const auto& row : rows_) widest = std::max(widest, width(row[i].text));
    widths.push_back(widest);
  }
  const auto render_row = [&](const std::vector<Cell>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - width(row[i].text), ' ');
      const std::string painted = paint(stdout, row[i].colour, row[i].text);
      const bool last = i + 1 == row.size();
      line += aligns_[i] == Align::Right ? blanks + painted : painted + (last ? "" : blanks);
      if (!last) line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  std::vector<Cell> heading;
  for (const std::string& text : headings_) heading.emplace_back(text, Colour::Bold);
  std::string text = render_row(heading);
  for (const auto& row : rows_) text += render_row(row);
  return text;
}

std::string render_count(long long number) {
  std::string digits = std::to_string(std::llabs(number));
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return (number < 0 ? "-" : "") + digits;
}

std::string render_money(double us_dollars) {
  if (us_dollars == 0) return "$0";
  if (us_dollars >= 0.1) return fmt::format("${:.2f}", us_dollars);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(us_dollars))) + 1, 2, 8);
  return fmt::format("${:.{}f}", us_dollars, digits);
}

}  // namespace personascope::cli
