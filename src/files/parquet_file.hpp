// Rows written as a Parquet file.
//
// The separate program that reads Parquet files (files/parquet_rows.hpp) also writes them. The
// types of the columns are known only when all rows are, so rows are collected in a temporary file
// first.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::files {

class Environment;

// Where the program is: $PERSONASCOPE_PARQUET_ROWS, else where scripts/setup-parquet puts it.
std::string find_parquet_program(const Environment& environment);
// Fails as NotFound, saying how to get it, if the program is not there.
Result<void> check_parquet_program(const std::string& program);

enum class ParquetType { Unknown, Bool, Int, Double, Text };

// The narrowest type that holds both; Unknown is that of null, and a list or object is Text.
ParquetType join_types(ParquetType a, ParquetType b);
ParquetType type_of(const Json& cell);

struct ParquetColumn {
  std::string name;
  ParquetType type = ParquetType::Unknown;  // at least; Unknown: Text if all cells are null
};

class ParquetFile {
 public:
  using Write = std::function<Result<void>(std::string_view)>;

  // Fails as check_parquet_program does, and as Storage if no temporary file can be made.
  static Result<ParquetFile> create(std::vector<ParquetColumn> columns, std::string program,
                                    Write write);
  ParquetFile(ParquetFile&& other) noexcept;
  ParquetFile& operator=(ParquetFile&&) = delete;
  ~ParquetFile();

  // A cell for each column. Lists and objects become text: their JSON.
  Result<void> add(const std::vector<Json>& cells);
  // Writes the file. Fails as Storage, with the program's reason.
  Result<void> finish();

 private:
  ParquetFile(std::vector<ParquetColumn> columns, std::string program, Write write, int rows)
      : columns_(std::move(columns)),
        program_(std::move(program)),
        write_(std::move(write)),
        rows_(rows) {}
  Result<void> flush();

  std::vector<ParquetColumn> columns_;
  std::string program_;
  Write write_;
  int rows_;  // a file without a name; -1 if moved from
  std::string buffer_;
};

}  // namespace personascope::files
