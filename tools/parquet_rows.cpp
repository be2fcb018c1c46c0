// Prints the rows of a Parquet file as lines of JSON: `parquet_rows FILE`. A program of its own,
// run by personascope when a Parquet file is named: Arrow's libraries are large, and a damaged file
// can at worst end this process. scripts/setup-parquet builds it.
//
// Reads row group by row group, 1,024 rows at a time, with bounds on memory, time and output.
// A file that cannot be read ends it with one sentence on standard error and code 2.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

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
  if (count != 2) return refuse("usage: parquet_rows FILE");
  limit(RLIMIT_AS, kMostMemory);
  limit(RLIMIT_CPU, kMostSeconds);
  limit(RLIMIT_CORE, 0);
  try {
    print_rows(words[1]);
    return std::fflush(stdout) == 0 ? 0 : refuse("its rows cannot be passed on");
  } catch (const std::bad_alloc&) {
    return refuse("it needs more than 3 GB of memory");
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}
