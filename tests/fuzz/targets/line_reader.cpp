// A file line by line; the file is in memory.
#include "files/line_reader.hpp"

#include "memory_file.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(line_reader, bytes) {
  const fuzz::MemoryFile file(bytes);
  auto reader = files::LineReader::open(file.path());
  fuzz::require(reader.has_value(), "the file can be opened");
  const auto lines = split(bytes, '\n');
  std::int64_t last = 0;
  for (;;) {
    const auto line = reader->next();
    fuzz::require(line.has_value(), "every line is short enough");
    if (!*line) break;
    const std::int64_t number = reader->line_number();
    fuzz::require(number > last && number <= static_cast<std::int64_t>(lines.size()),
                  "line numbers rise");
    for (std::int64_t i = last; i + 1 < number; ++i)
      fuzz::require(trim(lines[static_cast<std::size_t>(i)]).size() <= 3,
                    "only blank lines are left out");
    const std::string_view whole = lines[static_cast<std::size_t>(number - 1)];
    fuzz::require(!trim(**line).empty() && whole.find(**line) != whole.npos,
                  "a line is the one of its number");
    last = number;
  }
  const auto after = reader->next();
  fuzz::require(after && !*after, "after the end comes nothing");
}
