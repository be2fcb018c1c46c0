#include "report/row_writer.hpp"

#include <array>

#include "base/text.hpp"

namespace personascope::report {
namespace {

const Json& cell_of(const Json& row, const std::string& column) {
  static const Json kNothing;
  const auto found = row.find(column);
  return found == row.end() ? kNothing : *found;
}

// "" for null; lists and objects as JSON.
std::string render_plain(const Json& cell) {
  if (cell.is_null()) return "";
  return cell.is_string() ? cell.get<std::string>() : render_json(cell);
}

class JsonlWriter final : public RowWriter {
 public:
  JsonlWriter(std::vector<std::string> columns, WriteText write)
      : columns_(std::move(columns)), write_(std::move(write)) {}

  Result<void> write(const Json& row) override {
    Json line = Json::object();
    for (const std::string& column : columns_) line[column] = cell_of(row, column);
    return write_(render_json(line) + "\n");
  }
  Result<void> finish() override { return {}; }

 private:
  std::vector<std::string> columns_;
  WriteText write_;
};

// One array, an element a line.
class JsonWriter final : public RowWriter {
 public:
  JsonWriter(std::vector<std::string> columns, WriteText write)
      : write_(write), lines_(std::move(columns), [this](std::string_view line) {
          const std::string_view before = is_first_ ? "[\n" : ",\n";
          is_first_ = false;
          return write_(std::string(before) + std::string(line.substr(0, line.size() - 1)));
        }) {}

  Result<void> write(const Json& row) override { return lines_.write(row); }
  Result<void> finish() override { return write_(is_first_ ? "[]\n" : "\n]\n"); }

 private:
  bool is_first_ = true;
  WriteText write_;
  JsonlWriter lines_;
};

// A table whose head, cells, separators and foot are given.
class TableWriter final : public RowWriter {
 public:
  struct Form {
    std::string (*render)(const Json& cell);
    std::string before_row, between, after_row;
    std::function<std::string(const std::vector<std::string>& columns)> head;
    std::string foot;
  };
  TableWriter(std::vector<std::string> columns, WriteText write, Form form)
      : columns_(std::move(columns)), write_(std::move(write)), form_(std::move(form)) {}

  Result<void> write(const Json& row) override {
    RETURN_IF_ERROR(begin());
    std::string line = form_.before_row;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      line += (i == 0 ? "" : form_.between) + form_.render(cell_of(row, columns_[i]));
    return write_(line + form_.after_row + "\n");
  }
  Result<void> finish() override {
    RETURN_IF_ERROR(begin());
    return form_.foot.empty() ? Result<void>{} : write_(form_.foot);
  }

 private:
  Result<void> begin() {
    if (has_begun_) return {};
    has_begun_ = true;
    return write_(form_.head(columns_));
  }

  std::vector<std::string> columns_;
  WriteText write_;
  Form form_;
  bool has_begun_ = false;
};

std::string render_csv_cell(const Json& cell) {
  return cell.is_string()       ? render_csv_text(cell.get_ref<const std::string&>())
         : cell.is_structured() ? render_csv_text(render_json(cell))
                                : render_plain(cell);
}

std::string render_markdown_cell(const Json& cell) {
  return escape_markdown(render_plain(cell));
}

std::string render_latex_cell(const Json& cell) {
  return escape_latex(render_plain(cell));
}

TableWriter::Form make_csv_form() {
  return {render_csv_cell,
          "",
          ",",
          "",
          [](const std::vector<std::string>& columns) {
            std::vector<std::string> cells;
            for (const std::string& column : columns) cells.push_back(render_csv_text(column));
            return join(cells, ",") + "\n";
          },
          ""};
}

TableWriter::Form make_markdown_form() {
  return {render_markdown_cell,
          "| ",
          " | ",
          " |",
          [](const std::vector<std::string>& columns) {
            std::string line = "|";
            for (std::size_t i = 0; i < columns.size(); ++i) line += " --- |";
            std::vector<std::string> cells;
            for (const std::string& column : columns) cells.push_back(render_markdown_cell(column));
            return "| " + join(cells, " | ") + " |\n" + line + "\n";
          },
          ""};
}

TableWriter::Form make_latex_form() {
  return {render_latex_cell,
          "",
          " & ",
          " \\\\",
          [](const std::vector<std::string>& columns) {
            std::vector<std::string> cells;
            for (const std::string& column : columns) cells.push_back(render_latex_cell(column));
            return fmt::format(
                "% needs \\usepackage{{booktabs,longtable}}\n"
                "\\begin{{longtable}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n\\endhead\n",
                std::string(columns.size(), 'l'), join(cells, " & "));
          },
          "\\bottomrule\n\\end{longtable}\n"};
}

}  // namespace

std::optional<RowFormat> find_row_format(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, RowFormat>, 6> kEndings{
      {{".jsonl", RowFormat::Jsonl},
       {".json", RowFormat::Json},
       {".csv", RowFormat::Csv},
       {".md", RowFormat::Markdown},
       {".tex", RowFormat::Latex},
       {".parquet", RowFormat::Parquet}}};
  const std::string name = lower(path);
  for (const auto& [ending, format] : kEndings)
    if (name.ends_with(ending)) return format;
  return std::nullopt;
}

std::string render_csv_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\'');
  const bool is_formula = first != std::string_view::npos &&
                          std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos;
  std::string cell = (is_formula ? "'" : "") + std::string(text);
  if (cell.find_first_of(",\"\n\r\t'") == std::string::npos) return cell;
  return "\"" + replace_all(cell, "\"", "\"\"") + "\"";
}

std::unique_ptr<RowWriter> make_row_writer(RowFormat format, std::vector<std::string> columns,
                                           WriteText write) {
  switch (format) {
    case RowFormat::Json:
      return std::make_unique<JsonWriter>(std::move(columns), std::move(write));
    case RowFormat::Csv:
      return std::make_unique<TableWriter>(std::move(columns), std::move(write), make_csv_form());
    case RowFormat::Markdown:
      return std::make_unique<TableWriter>(std::move(columns), std::move(write),
                                           make_markdown_form());
    case RowFormat::Latex:
      return std::make_unique<TableWriter>(std::move(columns), std::move(write), make_latex_form());
    case RowFormat::Jsonl:
    case RowFormat::Parquet:
      break;
  }
  return std::make_unique<JsonlWriter>(std::move(columns), std::move(write));
}

std::string escape_markdown(std::string_view plain_text) {
  std::string text(plain_text);
  for (const auto& [plain, escaped] :
       {std::pair("&", "&amp;"), std::pair("<", "&lt;"), std::pair(">", "&gt;"),
        std::pair("\\", "\\\\"), std::pair("|", "\\|"), std::pair("`", "\\`"),
        std::pair("[", "\\["), std::pair("*", "\\*"), std::pair("_", "\\_"), std::pair("\r", ""),
        std::pair("\n", "<br>")})
    text = replace_all(text, plain, escaped);
  return text;
}

std::string escape_latex(std::string_view plain_text) {
  std::string text;
  for (const char c : plain_text) {
    switch (c) {
      case '\\':
        text += "\\textbackslash{}";
        break;
      case '~':
        text += "\\textasciitilde{}";
        break;
      case '^':
        text += "\\textasciicircum{}";
        break;
      case '\n':
      case '\r':
      case '\t':
        text += ' ';
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        text += '\\';
        [[fallthrough]];
      default:
        text += c;
    }
  }
  return text;
}

}  // namespace personascope::report
