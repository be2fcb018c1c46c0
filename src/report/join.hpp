// Several files of scores, one a run, joined on the ids of their items.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/score_table.hpp"

namespace personascope::report {

struct JoinChoice {
  std::optional<std::string> id = {};     // else "id", else the first column
  std::optional<std::string> score = {};  // else "score", else the only other column
  // In the first file; where others have it, it must agree.
  std::optional<std::string> cluster = {};
};

// Items that only some of the files have.
struct Unmatched {
  std::string run;                    // the file's name as it is shown
  std::size_t rows = 0;               // its rows in all
  std::size_t unmatched = 0;          // of those, the ones not in every file
  std::vector<std::string> examples;  // a few of their ids
};

struct JoinedTable {
  ScoreTable table;  // the items that all files have, one column a file
  std::vector<Unmatched> files;
};

// A table of ids and one column of scores, and what it is called.
struct NamedTable {
  std::string name;
  ScoreTable table;
};

// Joins on the ids; clusters are those of the first table that has some. Fails as Invalid where no
// item is in all tables, and where an item's cluster differs between them.
Result<JoinedTable> join_tables(std::span<const NamedTable> tables);

// Reads one file a table. A run is called after its file, without the folder and ending where that
// keeps names apart. Fails as load_scores does.
Result<std::vector<NamedTable>> load_tables(std::span<const std::string> paths,
                                            const JoinChoice& choice);

// Adds the column of `other` to the table, by the items' ids; what `other` lacks has no score
// there. Returns how many of its rows are of no item in the table. Fails as Invalid if all are.
Result<std::size_t> add_column(ScoreTable& table, const NamedTable& other);

}  // namespace personascope::report
