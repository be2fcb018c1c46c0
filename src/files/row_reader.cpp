#include "files/row_reader.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "files/line_reader.hpp"
#include "files/parquet_rows.hpp"
#include "files/table_reader.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

constexpr double kLargestWhole = 9e15;

void fill_cells(const Json& object, Row& row) {
  if (!object.is_object()) {
    row.fault = "not a JSON object";
    return;
  }
  for (const auto& [name, value] : object.items()) row.cells.emplace_back(name, cell_text(value));
}

void fill_row(const std::string& line, Row& row) {
  const auto value = parse_json(line);
  if (value)
    fill_cells(*value, row);
  else
    row.fault = value.error().message;
}

class CsvRows final : public RowReader {
 public:
  explicit CsvRows(TableReader table) : table_(std::move(table)) {}
  std::string_view unit() const override { return "line"; }
  Result<bool> next(Row& row) override {
    row = {};
    ASSIGN_OR_RETURN(const bool more, table_.next(cells_));
    if (!more) return false;
    row.number = table_.line_number();
    for (std::size_t i = 0; i < cells_.size(); ++i)
      row.cells.emplace_back(table_.columns()[i], cells_[i]);
    return true;
  }

 private:
  TableReader table_;
  std::vector<std::string> cells_;
};

class JsonLines final : public RowReader {
 public:
  explicit JsonLines(LineReader lines) : lines_(std::move(lines)) {}
  std::string_view unit() const override { return "line"; }
  Result<bool> next(Row& row) override {
    row = {};
    ASSIGN_OR_RETURN(const auto line, lines_.next());
    if (!line) return false;
    row.number = lines_.line_number();
    fill_row(*line, row);
    return true;
  }

 private:
  LineReader lines_;
};

class JsonArray final : public RowReader {
 public:
  explicit JsonArray(Json rows) : rows_(std::move(rows)) {}
  std::string_view unit() const override { return "row"; }
  Result<bool> next(Row& row) override {
    row = {};
    if (at_ == rows_.size()) return false;
    fill_cells(rows_[at_], row);
    row.number = static_cast<std::int64_t>(++at_);
    return true;
  }

 private:
  Json rows_;
  std::size_t at_ = 0;
};

class ParquetReader final : public RowReader {
 public:
  explicit ParquetReader(ParquetRows rows) : rows_(std::move(rows)) {}
  std::string_view unit() const override { return "row"; }
  Result<bool> next(Row& row) override {
    row = {};
    ASSIGN_OR_RETURN(const auto line, rows_.next());
    if (!line) return false;
    row.number = ++number_;
    fill_row(*line, row);
    return true;
  }

 private:
  ParquetRows rows_;
  std::int64_t number_ = 0;
};

// The first bytes, from the first that is not blank.
Result<std::string> load_beginning(const std::string& path) {
  ASSIGN_OR_RETURN(std::ifstream stream, open_for_reading(path));
  std::string beginning(4096, '\0');
  stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(stream.gcount()));
  if (beginning.starts_with(kByteOrderMark)) beginning.erase(0, kByteOrderMark.size());
  return std::string(trim(beginning));
}

}  // namespace

std::string cell_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::trunc(number) == number && std::abs(number) < kLargestWhole)
      return std::to_string(static_cast<long long>(number));
  }
  if (!value.is_structured()) return render_json(value);
  std::vector<std::string> parts;
  for (const auto& [name, part] : value.items())
    parts.push_back(value.is_object() ? name + ": " + cell_text(part) : cell_text(part));
  return join(parts, ", ");
}

Result<std::unique_ptr<RowReader>> RowReader::open(const std::string& path,
                                                   const std::string& parquet_program) {
  ASSIGN_OR_RETURN(const std::string beginning, load_beginning(path));
  if (beginning.starts_with("PAR1") || beginning.starts_with("PARE")) {
    if (parquet_program.empty())
      return fail(
          ErrorKind::Invalid,
          "{} is a Parquet file; `personascope import persona-bench {}` converts it to JSONL",
          printable(path), printable(path));
    ASSIGN_OR_RETURN(ParquetRows rows, ParquetRows::open(path, parquet_program));
    return std::make_unique<ParquetReader>(std::move(rows));
  }
  if (lower(path).ends_with(".parquet"))
    return fail(ErrorKind::Invalid,
                "{} has the name of a Parquet file but is not one; fetch it again{}",
                printable(path),
                beginning.starts_with("version https://git-lfs")
                    ? " with git lfs (this is only a git lfs pointer)"
                    : "");
  if (beginning.starts_with("\x1f\x8b") || beginning.starts_with("PK\x03\x04") ||
      beginning.starts_with("\x28\xb5\x2f\xfd"))
    return fail(ErrorKind::Invalid, "{} is compressed; unpack it first", printable(path));
  if (beginning.starts_with('[')) {
    ASSIGN_OR_RETURN(const std::string text, load_text(path));
    auto rows = parse_json(std::string_view(text).substr(text.find('[')));
    if (!rows) return fail(ErrorKind::Invalid, "{}: {}", printable(path), rows.error().message);
    return std::make_unique<JsonArray>(std::move(*rows));
  }
  if (beginning.starts_with('{')) {
    ASSIGN_OR_RETURN(LineReader lines, LineReader::open(path));
    return std::make_unique<JsonLines>(std::move(lines));
  }
  ASSIGN_OR_RETURN(TableReader table, TableReader::open(path, Nameless::Keep));
  return std::make_unique<CsvRows>(std::move(table));
}

}  // namespace personascope::files
