// A text file line by line, in bounded memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope::files {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class LineReader {
 public:
  // NotFound or Invalid (a folder, unreadable). "-" is not standard input here.
  static Result<LineReader> open(const std::string& path);

  // The next line that is not blank, without its end; nothing at the end of the file. Fails as
  // Invalid on a line over 32 MB and if the file cannot be read on.
  Result<std::optional<std::string>> next();
  // The number of the line last returned, from 1.
  std::int64_t line_number() const { return line_number_; }

 private:
  LineReader(std::string path, std::ifstream stream)
      : path_(std::move(path)), stream_(std::move(stream)) {}
  // Appends the next line, be it blank, to `line`; false at the end of the file.
  Result<bool> read_line(std::string& line);

  std::string path_;
  std::ifstream stream_;
  std::string chunk_;      // what was read of the file last
  std::size_t start_ = 0;  // of what is left of it
  std::int64_t line_number_ = 0;
};

}  // namespace personascope::files
