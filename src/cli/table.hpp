// Plain tables for people: columns as wide as their widest cell, numbers to the right.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.hpp"

namespace personascope::cli {

enum class Align { Left, Right };

struct Cell {
  Cell(std::string content, Colour paint_as = Colour::None)  // NOLINT: text becomes a cell
      : text(std::move(content)), colour(paint_as) {}
  std::string text;
  Colour colour;
};

class Table {
 public:
  explicit Table(std::vector<std::string> headings, std::vector<Align> aligns = {});
  void add(std::vector<Cell> row);
  // Columns that may be left out where there is no room, the first to go first.
  void may_drop(std::vector<std::size_t> columns) { droppable_ = std::move(columns); }
  // Columns whose texts may be cut where there is still no room, the widest first.
  void may_shorten(std::vector<std::size_t> columns) { shortened_ = std::move(columns); }
  // A column of sentences: where there is still no room, they go on in the next line.
  void may_wrap(std::size_t column) { wrapped_ = column; }
  // For standard output, colours included where it shows them: as wide as the terminal at most; in
  // a pipe as wide as the texts. If neither dropping nor cutting is enough, rows are stacked: a
  // line for each cell.
  std::string render() const;
  std::string render(std::size_t columns) const;

 private:
  std::string render_stacked(std::size_t columns) const;
  // Narrows or drops columns until the table fits; false if it cannot.
  bool fit(std::size_t columns, std::vector<std::size_t>& widths, std::vector<bool>& shown) const;

  std::vector<std::string> headings_;
  std::vector<Align> aligns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::size_t> droppable_;
  std::vector<std::size_t> shortened_;
  std::optional<std::size_t> wrapped_;
};

// "12,345".
std::string render_count(long long number);
std::string render_count(std::integral auto number) {
  return render_count(static_cast<long long>(number));
}
// "1 cluster", "12,345 clusters".
std::string render_count(std::integral auto number, std::string_view noun) {
  return fmt::format("{} {}{}", render_count(number), noun, number == 1 ? "" : "s");
}
// "$0.012", with as many digits as it takes to see something.
std::string render_money(double us_dollars);

}  // namespace personascope::cli
