// The rows of a Parquet file as lines of JSON.
//
// A separate program makes them (tools/parquet_rows.cpp, built by scripts/setup-parquet); it is
// started here and read through a pipe: Arrow's libraries are large, and a damaged file can crash
// only that process. One line is kept in memory here, some pages there.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/result.hpp"
#include "files/line_reader.hpp"

namespace personascope::files {

class ParquetRows {
 public:
  // Starts `program` on the file. Fails as NotFound, saying how to get the program, if it is not
  // there.
  static Result<ParquetRows> open(const std::string& path, const std::string& program);
  ParquetRows(ParquetRows&& other) noexcept;
  ParquetRows& operator=(ParquetRows&&) = delete;
  // Ends the program if it still runs.
  ~ParquetRows();

  // The next row; nothing at the end. Fails as Invalid, with the program's reason, if the file is
  // damaged: also after rows that could be read.
  Result<std::optional<std::string>> next();

 private:
  ParquetRows(std::string path, pid_t process, int complaints, LineReader lines)
      : path_(std::move(path)),
        process_(process),
        complaints_(complaints),
        lines_(std::move(lines)) {}
  Result<void> check_end();

  std::string path_;
  pid_t process_;   // 0 once it has ended or was moved from
  int complaints_;  // its standard error; -1 if moved from
  LineReader lines_;
};

}  // namespace personascope::files
