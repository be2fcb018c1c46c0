// The lines of a checked input file by their place. Read one after the other, the file is read once
// and nothing of it is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "eval/input_file.hpp"
#include "files/line_reader.hpp"

namespace personascope::eval {

class InputLines {
 public:
  explicit InputLines(InputFile file) : file_(std::move(file)) {}

  // The line at that place, from 0; blank lines do not count. A place before the last one begins
  // again at the top of the file. Fails as Invalid if the file has become shorter than it was.
  Result<std::string> read(std::int64_t place);

  // For a line that is not what it was when the file was checked.
  Error make_change_error(const std::string& why) const;

 private:
  InputFile file_;
  std::optional<files::LineReader> reader_;
  std::int64_t next_ = 0;  // the place of the line that the reader gives next
};

}  // namespace personascope::eval
