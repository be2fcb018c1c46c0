// A table from any source, row by row: CSV (RFC 4180), tab-separated (.tsv) or JSONL.
//
// An apostrophe before =, +, -, @, tab or CR at the beginning of a CSV cell, which keeps
// spreadsheets from running the text, is removed. One row is in memory at a time. Cells are
// untrusted text.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::files {

// What to do with a column without a name, such as pandas writes for its row numbers.
enum class Nameless { Refuse, Keep };

class TableReader {
 public:
  // The form is told by the first character that is not blank: "{" begins JSONL. A byte order mark
  // and either line end are fine. Fails as NotFound or Invalid: no file, no header, a column
  // without a name (unless kept, under the empty name) or named twice.
  static Result<TableReader> open(const std::string& path, Nameless nameless = Nameless::Refuse);

  // From the header line; in JSONL the members of the first object, in alphabetical order.
  const std::vector<std::string>& columns() const { return columns_; }

  // The next row that is not blank, one cell per column; false at the end. In JSONL a missing
  // member or null is an empty cell, and what is not text appears as JSON. Fails as Invalid with
  // the line's number: too many or too few cells, a quote that is never closed or is in the middle
  // of a cell, a line that is not a JSON object, a member that is not in the first line, a row over
  // 32 MB.
  Result<bool> next(std::vector<std::string>& cells);

  // Where the row last returned began, from 1.
  std::int64_t line_number() const { return line_number_; }
  // "file.csv, line 7", safe for a terminal.
  std::string place() const;

 private:
  enum class End { Cell, Row, File };

  TableReader(std::string path, std::ifstream stream, Nameless nameless);

  Result<void> read_header();
  Result<bool> next_csv(std::vector<std::string>& cells);
  Result<bool> next_json(std::vector<std::string>& cells);
  Result<bool> read_csv_row(std::vector<std::string>& cells);
  Result<End> read_cell(std::string& cell);
  Result<End> read_quoted(std::string& cell);
  End end_of_plain_cell(std::string& cell);
  Result<bool> read_line(std::string& line);
  Result<void> fill_from(const Json& object, std::vector<std::string>& cells) const;
  Result<void> check_columns() const;
  std::unexpected<Error> fail_here(std::string_view what) const;

  // The next byte, or -1 at the end of the file.
  int peek();
  int take();

  std::string path_;
  std::ifstream stream_;
  Nameless nameless_;
  std::string chunk_;
  std::size_t at_ = 0;  // of the next byte in it
  bool is_json_ = false;
  char separator_ = ',';
  std::size_t row_bytes_ = 0;
  std::vector<std::string> columns_;
  std::string held_line_;  // JSONL: the first line, read for its members
  bool has_held_line_ = false;
  std::int64_t line_ = 1;  // being read
  std::int64_t line_number_ = 0;
};

}  // namespace personascope::files
