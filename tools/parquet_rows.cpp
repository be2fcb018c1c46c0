// Prints the rows of a Parquet file as lines of JSON: `parquet_rows FILE`. The other way round,
// `parquet_rows write COLUMNS` turns lines of JSON on standard input, an array of cells each,
// into a Parquet file on standard output; COLUMNS is JSON: [["id", "text"], ["score", "double"],
// ...] with the types bool, int, double and text. A program of its own, run by personascope when a
// Parquet file is named: Arrow's libraries are large, and a damaged file can at worst end this
// process. scripts/setup-parquet builds it.
//
// Reads row group by row group, 1,024 rows at a time, with bounds on memory, time and output.
// A file that cannot be read ends it with one sentence on standard error and code 2.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace {

constexpr rlim_t kMostMemory = rlim_t{3} << 30;
constexpr rlim_t kMostSeconds = 900;
constexpr std::size_t kMostOutput = std::size_t{8} << 30;
constexpr std::int64_t kRowsAtATime = 1024;
constexpr int kMostColumns = 10'000;
constexpr int kDeepest = 20;

void check(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

template <class T>
T take(arrow::Result<T> result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

void write_text(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += c;
    }
  }
  out += '"';
}

void write_number(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  // The shortest digits that mean the same number.
  for (int precision = 1; precision < 17; ++precision) {
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*g", precision, value);
    if (std::stod(shorter) == value) {
      out += shorter;
      return;
    }
  }
  out += digits;
}

void write_value(const arrow::Array& array, std::int64_t row, std::string& out, int depth);

template <class List>
void write_list(const arrow::Array& array, std::int64_t row, std::string& out, int depth) {
  const auto& list = static_cast<const List&>(array);
  out += '[';
  const std::int64_t start = list.value_offset(row);
  for (std::int64_t i = 0; i < list.value_length(row); ++i) {
    if (i > 0) out += ", ";
    write_value(*list.values(), start + i, out, depth + 1);
  }
  out += ']';
}

void write_struct(const arrow::StructArray& array, std::int64_t row, std::string& out, int depth) {
  out += '{';
  for (int i = 0; i < array.num_fields(); ++i) {
    if (i > 0) out += ", ";
    write_text(array.struct_type()->field(i)->name(), out);
    out += ": ";
    write_value(*array.field(i), row, out, depth + 1);
  }
  out += '}';
}

void write_value(const arrow::Array& array, std::int64_t row, std::string& out, int depth) {
  if (depth > kDeepest) throw std::runtime_error("its values are nested too deep");
  if (array.IsNull(row)) {
    out += "null";
    return;
  }
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return write_text(static_cast<const arrow::BinaryArray&>(array).GetView(row), out);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return write_text(static_cast<const arrow::LargeBinaryArray&>(array).GetView(row), out);
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return write_text(static_cast<const arrow::BinaryViewArray&>(array).GetView(row), out);
    case arrow::Type::BOOL:
      out += static_cast<const arrow::BooleanArray&>(array).Value(row) ? "true" : "false";
      return;
    case arrow::Type::FLOAT:
      return write_number(static_cast<const arrow::FloatArray&>(array).Value(row), out);
    case arrow::Type::DOUBLE:
      return write_number(static_cast<const arrow::DoubleArray&>(array).Value(row), out);
    case arrow::Type::INT8:
    case arrow::Type::INT16:
    case arrow::Type::INT32:
    case arrow::Type::INT64:
    case arrow::Type::UINT8:
    case arrow::Type::UINT16:
    case arrow::Type::UINT32:
    case arrow::Type::UINT64:
      out += take(array.GetScalar(row))->ToString();
      return;
    case arrow::Type::LIST:
      return write_list<arrow::ListArray>(array, row, out, depth);
    case arrow::Type::LARGE_LIST:
      return write_list<arrow::LargeListArray>(array, row, out, depth);
    case arrow::Type::STRUCT:
      return write_struct(static_cast<const arrow::StructArray&>(array), row, out, depth);
    case arrow::Type::DICTIONARY: {
      const auto& coded = static_cast<const arrow::DictionaryArray&>(array);
      const std::int64_t code = coded.GetValueIndex(row);
      if (code < 0 || code >= coded.dictionary()->length())
        throw std::runtime_error("a value is not in its dictionary");
      return write_value(*coded.dictionary(), code, out, depth + 1);
    }
    default:  // dates, decimals, maps: as Arrow writes them
      return write_text(take(array.GetScalar(row))->ToString(), out);
  }
}

void print_rows(const std::string& path) {
  arrow::MemoryPool* pool = arrow::system_memory_pool();
  auto file = take(arrow::io::ReadableFile::Open(path, pool));
  parquet::ReaderProperties properties(pool);
  properties.enable_buffered_stream();  // a page at a time, not a whole row group
  parquet::arrow::FileReaderBuilder builder;
  check(builder.Open(file, properties));
  parquet::ArrowReaderProperties options(/*use_threads=*/false);
  options.set_batch_size(kRowsAtATime);
  options.set_pre_buffer(false);
  std::unique_ptr<parquet::arrow::FileReader> reader;
  check(builder.memory_pool(pool)->properties(options)->Build(&reader));
  if (reader->parquet_reader()->metadata()->num_columns() > kMostColumns)
    throw std::runtime_error("it has more than 10,000 columns");
  auto batches = take(reader->GetRecordBatchReader());

  std::string out;
  std::size_t written = 0;
  for (;;) {
    std::shared_ptr<arrow::RecordBatch> batch;
    check(batches->ReadNext(&batch));
    if (!batch) return;
    check(batch->ValidateFull());  // text that is not UTF-8, offsets beyond the end
    for (std::int64_t row = 0; row < batch->num_rows(); ++row) {
      out += '{';
      for (int column = 0; column < batch->num_columns(); ++column) {
        if (column > 0) out += ", ";
        write_text(batch->schema()->field(column)->name(), out);
        out += ": ";
        write_value(*batch->column(column), row, out, 0);
      }
      out += "}\n";
      if (out.size() > (1u << 16)) {
        written += out.size();
        if (written > kMostOutput) throw std::runtime_error("its rows are more than 8 GB of text");
        if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size())
          throw std::runtime_error("its rows cannot be passed on");
        out.clear();
      }
    }
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size())
      throw std::runtime_error("its rows cannot be passed on");
    written += out.size();
    out.clear();
  }
}

// Arrow's own streams ask a file for its position, which a pipe does not have.
class StandardOutput final : public arrow::io::OutputStream {
 public:
  arrow::Status Write(const void* data, std::int64_t size) override {
    if (std::fwrite(data, 1, static_cast<std::size_t>(size), stdout) !=
        static_cast<std::size_t>(size))
      return arrow::Status::IOError("its bytes cannot be passed on");
    position_ += size;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Status Close() override {
    is_closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return is_closed_; }

 private:
  std::int64_t position_ = 0;
  bool is_closed_ = false;
};

std::shared_ptr<arrow::DataType> type_named(const std::string& name) {
  if (name == "bool") return arrow::boolean();
  if (name == "int") return arrow::int64();
  if (name == "double") return arrow::float64();
  if (name == "text") return arrow::utf8();
  throw std::runtime_error("there is no type " + name);
}

void append(arrow::ArrayBuilder& builder, const nlohmann::json& cell) {
  if (cell.is_null()) return check(builder.AppendNull());
  switch (builder.type()->id()) {
    case arrow::Type::BOOL:
      return check(static_cast<arrow::BooleanBuilder&>(builder).Append(cell.get<bool>()));
    case arrow::Type::INT64:
      return check(static_cast<arrow::Int64Builder&>(builder).Append(cell.get<std::int64_t>()));
    case arrow::Type::DOUBLE:
      return check(static_cast<arrow::DoubleBuilder&>(builder).Append(cell.get<double>()));
    default:
      return check(static_cast<arrow::StringBuilder&>(builder).Append(
          cell.is_string() ? cell.get<std::string>() : cell.dump()));
  }
}

void write_file(const std::string& columns) {
  constexpr std::size_t kBytesInAGroup = std::size_t{64} << 20;
  arrow::FieldVector fields;
  for (const auto& column : nlohmann::json::parse(columns))
    fields.push_back(
        arrow::field(column.at(0).get<std::string>(), type_named(column.at(1).get<std::string>())));
  const auto schema = arrow::schema(fields);
  auto output = std::make_shared<StandardOutput>();
  const auto properties =
      parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build();
  auto writer = take(
      parquet::arrow::FileWriter::Open(*schema, arrow::system_memory_pool(), output, properties));
  auto builder = take(arrow::RecordBatchBuilder::Make(schema, arrow::system_memory_pool()));
  std::size_t bytes = 0;
  const auto write_group = [&] {
    const auto table = take(arrow::Table::FromRecordBatches(schema, {take(builder->Flush())}));
    check(writer->WriteTable(*table, std::max<std::int64_t>(1, table->num_rows())));
    bytes = 0;
  };
  for (std::string line; std::getline(std::cin, line);) {
    const auto cells = nlohmann::json::parse(line);
    for (int i = 0; i < schema->num_fields(); ++i)
      append(*builder->GetField(i), cells.at(static_cast<std::size_t>(i)));
    bytes += line.size();
    if (bytes > kBytesInAGroup) write_group();
  }
  if (bytes > 0) write_group();
  check(writer->Close());
}

void limit(int resource, rlim_t most) {
  const rlimit bounds{most, most};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &bounds);
}

int refuse(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  return 2;
}

}  // namespace

int main(int count, char** words) {
  const bool writes = count == 3 && std::string(words[1]) == "write";
  if (count != 2 && !writes)
    return refuse("usage: parquet_rows FILE, or parquet_rows write COLUMNS");
  limit(RLIMIT_AS, kMostMemory);
  limit(RLIMIT_CPU, kMostSeconds);
  limit(RLIMIT_CORE, 0);
  try {
    if (writes)
      write_file(words[2]);
    else
      print_rows(words[1]);
    return std::fflush(stdout) == 0 ? 0 : refuse("its rows cannot be passed on");
  } catch (const std::bad_alloc&) {
    return refuse("it needs more than 3 GB of memory");
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}
