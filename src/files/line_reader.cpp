#include "files/line_reader.hpp"

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kLongestLine = 32u << 20;
constexpr std::size_t kChunkSize = 64u << 10;

}  // namespace

Result<LineReader> LineReader::open(const std::string& path) {
  ASSIGN_OR_RETURN(std::ifstream stream, open_for_reading(path));
  return LineReader(path, std::move(stream));
}

Result<bool> LineReader::read_line(std::string& line) {
  for (;;) {
    const std::string_view rest = std::string_view(chunk_).substr(start_);
    const std::size_t end = rest.find('\n');
    line += rest.substr(0, end);
    if (line.size() > kLongestLine)
      return fail(ErrorKind::Invalid, "{}, line {}: longer than {} MB", printable(path_),
                  line_number_ + 1, kLongestLine >> 20);
    if (end != std::string_view::npos) {
      start_ += end + 1;
      return true;
    }
    chunk_.resize(kChunkSize);
    stream_.read(chunk_.data(), static_cast<std::streamsize>(chunk_.size()));
    if (stream_.bad())  // the disk or the network drive failed
      return fail(ErrorKind::Invalid, "{}, line {}: cannot be read", printable(path_),
                  line_number_ + 1);
    chunk_.resize(static_cast<std::size_t>(stream_.gcount()));
    start_ = 0;
    if (chunk_.empty()) return !line.empty();
  }
}

Result<std::optional<std::string>> LineReader::next() {
  for (;;) {
    std::string line;
    ASSIGN_OR_RETURN(const bool has_line, read_line(line));
    if (!has_line) return std::optional<std::string>{};
    ++line_number_;
    if (line_number_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, 3);
    if (trim(line).empty()) continue;
    if (line.back() == '\r') line.pop_back();
    return std::optional(std::move(line));
  }
}

}  // namespace personascope::files
