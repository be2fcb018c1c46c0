#include "files/table_reader.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kTableChunkSize = 256u << 10;
constexpr std::size_t kLongestRow = 32u << 20;
constexpr std::size_t kLongestShown = 40;

bool is_blank_row(const std::vector<std::string>& cells) {
  return cells.size() == 1 && trim(cells.front()).empty();
}

std::string in_quotes(std::string_view name) {
  return '"' + printable(shorten(name, kLongestShown)) + '"';
}

}  // namespace

TableReader::TableReader(std::string path, std::ifstream stream, Nameless nameless)
    : path_(std::move(path)),
      stream_(std::move(stream)),
      nameless_(nameless),
      separator_(lower(path_).ends_with(".tsv") ? '\t' : ',') {}

Result<TableReader> TableReader::open(const std::string& path, Nameless nameless) {
  ASSIGN_OR_RETURN(std::ifstream stream, open_for_reading(path));
  TableReader reader(path, std::move(stream), nameless);
  RETURN_IF_ERROR(reader.read_header());
  return reader;
}

std::string TableReader::place() const {
  return fmt::format("{}, line {}", printable(path_), line_number_);
}

std::unexpected<Error> TableReader::fail_here(std::string_view what) const {
  return fail(ErrorKind::Invalid, "{}: {}", place(), what);
}

int TableReader::peek() {
  if (at_ == chunk_.size()) {
    chunk_.resize(kTableChunkSize);
    stream_.read(chunk_.data(), static_cast<std::streamsize>(chunk_.size()));
    chunk_.resize(static_cast<std::size_t>(stream_.gcount()));
    at_ = 0;
    if (chunk_.empty()) return -1;
  }
  return static_cast<unsigned char>(chunk_[at_]);
}

int TableReader::take() {
  const int byte = peek();
  if (byte < 0) return byte;
  ++at_;
  if (byte == '\n') ++line_;
  return byte;
}

Result<void> TableReader::read_header() {
  if (peek() == 0xEF && chunk_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  const auto is_blank = [](int byte) { return byte == '\n' || byte == '\r' || byte == ' '; };
  while (is_blank(peek())) take();
  line_number_ = line_;
  is_json_ = peek() == '{';
  if (is_json_) {
    ASSIGN_OR_RETURN(has_held_line_, read_line(held_line_));
    const auto first = parse_json(held_line_);
    if (!first) return fail_here(first.error().message);
    if (!first->is_object()) return fail_here("not a JSON object");
    for (const auto& [name, value] : first->items()) columns_.push_back(name);
    return check_columns();
  }
  ASSIGN_OR_RETURN(const bool has_header, read_csv_row(columns_));
  if (!has_header) {
    return fail(ErrorKind::Invalid, "{}: the table is empty; it needs a line of column names",
                printable(path_));
  }
  for (std::string& name : columns_) name = std::string(trim(name));
  if (columns_.size() == 1 && columns_[0].find(';') != std::string::npos)
    return fail_here("the columns are separated by semicolons; separate them by commas");
  return check_columns();
}

Result<void> TableReader::check_columns() const {
  if (columns_.empty()) return fail_here("there are no columns");
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].empty() && nameless_ == Nameless::Refuse)
      return fail_here(fmt::format("column {} has no name", i + 1));
  }
  std::vector<std::string> sorted = columns_;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    return fail_here(fmt::format("the column {} occurs twice", in_quotes(*twice)));
  }
  return {};
}

Result<bool> TableReader::next(std::vector<std::string>& cells) {
  if (is_json_) return next_json(cells);
  return next_csv(cells);
}

Result<bool> TableReader::next_csv(std::vector<std::string>& cells) {
  do {
    ASSIGN_OR_RETURN(const bool has_row, read_csv_row(cells));
    if (!has_row) return false;
  } while (is_blank_row(cells) && columns_.size() > 1);
  if (cells.size() != columns_.size()) {
    return fail_here(
        fmt::format("{} cells where the header has {}", cells.size(), columns_.size()));
  }
  return true;
}

// Whether an apostrophe keeps a spreadsheet from taking the text for a formula, as our own CSV
// files have it (report/row_writer.hpp).
static bool is_guarded(std::string_view cell) {
  if (!cell.starts_with('\'')) return false;
  const std::size_t first = cell.find_first_not_of('\'');
  return first != std::string_view::npos &&
         std::string_view("=+-@\t\r").find(cell[first]) != std::string_view::npos;
}

Result<bool> TableReader::read_csv_row(std::vector<std::string>& cells) {
  if (peek() < 0) return false;
  line_number_ = line_;
  row_bytes_ = 0;
  std::size_t count = 0;
  for (;;) {
    if (cells.size() == count) cells.emplace_back();
    std::string& cell = cells[count++];  // keeps its memory from row to row
    cell.clear();
    ASSIGN_OR_RETURN(const End end, read_cell(cell));
    if (is_guarded(cell)) cell.erase(0, 1);
    row_bytes_ += cell.size() + 1;
    if (row_bytes_ > kLongestRow) return fail_here("longer than 32 MB");
    if (end != End::Cell) break;
  }
  cells.resize(count);
  if (stream_.bad()) return fail_here("cannot be read");
  return true;
}

Result<TableReader::End> TableReader::read_cell(std::string& cell) {
  if (peek() == '"') return read_quoted(cell);
  return end_of_plain_cell(cell);
}

// Reads up to a separator or line end; whole stretches at once, since tables are long.
TableReader::End TableReader::end_of_plain_cell(std::string& cell) {
  while (peek() >= 0) {
    const std::string_view rest = std::string_view(chunk_).substr(at_);
    const auto stop =
        std::ranges::find_if(rest, [&](char c) { return c == separator_ || c == '\n'; });
    const auto length = static_cast<std::size_t>(stop - rest.begin());
    cell.append(rest, 0, length);
    at_ += length;
    if (cell.size() > kLongestRow || stop == rest.end()) {
      if (cell.size() > kLongestRow) return End::File;  // the caller refuses it
      continue;
    }
    if (take() == separator_) return End::Cell;
    if (cell.ends_with('\r')) cell.pop_back();
    return End::Row;
  }
  if (cell.ends_with('\r')) cell.pop_back();
  return End::File;
}

Result<TableReader::End> TableReader::read_quoted(std::string& cell) {
  take();
  for (;;) {
    const int byte = take();
    if (byte < 0) return fail_here("a quote is never closed");
    if (byte != '"') {
      cell.push_back(static_cast<char>(byte));
      if (cell.size() > kLongestRow) return fail_here("longer than 32 MB; is a quote not closed?");
      continue;
    }
    if (peek() != '"') break;
    cell.push_back(static_cast<char>(take()));  // "" stands for one
  }
  std::string rest;
  const End end = end_of_plain_cell(rest);
  if (!trim(rest).empty()) return fail_here("text after a closing quote");
  return end;
}

Result<bool> TableReader::read_line(std::string& line) {
  line.clear();
  while (peek() >= 0) {
    const std::string_view rest = std::string_view(chunk_).substr(at_);
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    line += rest.substr(0, length);
    at_ += length;
    if (line.size() > kLongestRow) return fail_here("longer than 32 MB");
    if (length == rest.size()) continue;
    line_number_ = line_;
    take();
    return true;
  }
  line_number_ = line_;
  if (stream_.bad()) return fail_here("cannot be read");
  return !line.empty();
}

Result<bool> TableReader::next_json(std::vector<std::string>& cells) {
  std::string line;
  if (has_held_line_) {
    line = std::move(held_line_);
    has_held_line_ = false;
  } else {
    do {
      ASSIGN_OR_RETURN(const bool has_line, read_line(line));
      if (!has_line) return false;
    } while (trim(line).empty());
  }
  const auto value = parse_json(line);
  if (!value) return fail_here(value.error().message);
  if (!value->is_object()) return fail_here("not a JSON object");
  RETURN_IF_ERROR(fill_from(*value, cells));
  return true;
}

Result<void> TableReader::fill_from(const Json& object, std::vector<std::string>& cells) const {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell.clear();
  for (const auto& [name, value] : object.items()) {
    const auto found = std::ranges::lower_bound(columns_, name);
    if (found == columns_.end() || *found != name) {
      return fail_here(
          fmt::format("the member {} is not in the first line; give every line the same "
                      "members, null where there is nothing",
                      in_quotes(name)));
    }
    std::string& cell = cells[static_cast<std::size_t>(found - columns_.begin())];
    if (value.is_string()) {
      cell = value.get<std::string>();
    } else if (!value.is_null()) {
      cell = render_json(value);
    }
  }
  return {};
}

}  // namespace personascope::files
