#include "files/line_reader.hpp"

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kLongestLine = 32u << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Result<LineReader> LineReader::open(const std::string& path) {
  ASSIGN_OR_RETURN(std::ifstream stream, open_for_reading(path));
  return LineReader(path, std::move(stream));
}

Result<std::optional<std::string>> LineReader::next() {
  try {
    return read_next();
  } catch (const std::ios_base::failure&) {  // the disk or the network drive failed
    return fail(ErrorKind::Invalid, "{}, line {}: cannot be read", printable(path_),
                line_number_ + 1);
  }
}

Result<std::optional<std::string>> LineReader::read_next() {
  std::string line;
  std::streambuf& bytes = *stream_.rdbuf();
  for (int c = bytes.sbumpc();; c = bytes.sbumpc()) {
    const bool at_end = c == std::ifstream::traits_type::eof();
    if (at_end && line.empty()) return std::optional<std::string>{};
    if (!at_end && c != '\n') {
      line += static_cast<char>(c);
      if (line.size() > kLongestLine)
        return fail(ErrorKind::Invalid, "{}, line {}: longer than {} MB", printable(path_),
                    line_number_ + 1, kLongestLine >> 20);
      continue;
    }
    ++line_number_;
    if (line_number_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, 3);
    if (!trim(line).empty()) {
      if (line.back() == '\r') line.pop_back();
      return std::optional(std::move(line));
    }
    line.clear();
    if (at_end) return std::optional<std::string>{};
  }
}

}  // namespace personascope::files
