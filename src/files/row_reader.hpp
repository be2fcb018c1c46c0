// Rows of a data file from any source: CSV, TSV, JSONL, a JSON array of objects, or Parquet. The
// form is detected from its beginning, not from its name. Cells are untrusted text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::files {

struct Row {
  std::int64_t number = 0;  // from 1: the line where it begins, or the row where there are none
  std::vector<std::pair<std::string, std::string>> cells;  // column and text, empty for nothing
  std::string fault;  // why it could not be read; there are no cells then
};

class RowReader {
 public:
  // One row is in memory at a time; a JSON array is read completely and may have 256 MB.
  // `parquet_program` is where the program for Parquet is; without one, Parquet is refused. Fails
  // as NotFound or Invalid, with what to do.
  static Result<std::unique_ptr<RowReader>> open(const std::string& path,
                                                 const std::string& parquet_program = "");
  virtual ~RowReader() = default;

  // The next row; false at the end. A single invalid row has a fault; fails as Invalid if reading
  // cannot continue: a quote that is never closed, a damaged Parquet file.
  virtual Result<bool> next(Row& row) = 0;
  // What a row's number counts: "line" or "row".
  virtual std::string_view unit() const = 0;
};

// A JSON value as the text of a cell: lists as "a, b", objects as "name: value, …", whole numbers
// without a fraction, nothing for null.
std::string cell_text(const Json& value);

}  // namespace personascope::files
