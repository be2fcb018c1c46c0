// Rows of named values as a file of some form: JSONL, JSON, CSV, Markdown, LaTeX or Parquet.
//
// Values are untrusted text: escaped in Markdown (which may become HTML) and LaTeX, and kept from
// being run as formulas when a spreadsheet opens a CSV file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::report {

enum class RowFormat { Jsonl, Json, Csv, Markdown, Latex, Parquet };

// By the ending of a file's name: .jsonl, .json, .csv, .md, .tex, .parquet.
std::optional<RowFormat> find_row_format(std::string_view path);

using WriteText = std::function<Result<void>(std::string_view)>;

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  // `row` is an object; a column that it lacks is null, a member that is no column is left out.
  virtual Result<void> write(const Json& row) = 0;
  // After the last row.
  virtual Result<void> finish() = 0;
};

// For every format but Parquet (see parquet_writer.hpp).
std::unique_ptr<RowWriter> make_row_writer(RowFormat format, std::vector<std::string> columns,
                                           WriteText write);

// A text as a CSV cell: quoted where need be. Texts that a spreadsheet would take for a formula
// (=, +, -, @, tab or CR at the beginning) get an apostrophe before them; files::TableReader takes
// it away again.
std::string render_csv_text(std::string_view text);
// A text within a line or cell of Markdown: no markup of it, of HTML or of a table is left.
std::string escape_markdown(std::string_view text);
// A text within a line or cell of LaTeX.
std::string escape_latex(std::string_view text);

}  // namespace personascope::report
