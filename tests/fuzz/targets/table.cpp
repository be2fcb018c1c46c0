// Tables of scores, CSV and JSONL; the file is in memory.
#include "files/table_reader.hpp"

#include "memory_file.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(table, bytes) {
  const fuzz::MemoryFile file(bytes);
  auto reader = files::TableReader::open(file.path());
  if (!fuzz::succeeds(reader)) return;
  std::vector<std::string> cells;
  std::int64_t last = 0;
  std::size_t taken = 0;
  for (;;) {
    const auto more = reader->next(cells);
    if (!fuzz::succeeds(more) || !*more) return;
    fuzz::require(cells.size() == reader->columns().size(), "a row has a cell for each column");
    fuzz::require(reader->line_number() > last, "every row begins on a later line");
    last = reader->line_number();
    fuzz::require(++taken <= bytes.size(), "there are no more rows than bytes");
  }
}
