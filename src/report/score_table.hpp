// A table of scores: one row per item, one column per run, rater or judge. It is made from files of
// scores or from stored runs; every analysis starts from it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace personascope::report {

struct ScoreColumn {
  std::string name;
  std::vector<std::optional<double>> cells;  // nothing where the score is missing
};

struct ScoreTable {
  std::vector<std::string> ids;               // of the items; empty if they have none
  std::vector<std::size_t> clusters;          // one key an item
  std::optional<std::string> cluster_column;  // nothing: each item stands alone
  std::vector<ScoreColumn> columns;
  std::vector<std::string> labels;  // what the numbers 0, 1, ... stand for, if cells were names

  std::size_t rows() const { return clusters.size(); }
};

// The rows where all of `columns` (by number) have a score.
struct CompleteRows {
  std::vector<std::vector<double>> values;  // one list a column
  std::vector<std::size_t> clusters;
  std::vector<std::size_t> rows;  // their numbers in the table
  std::size_t missing = 0;        // rows left out
};

CompleteRows complete_rows(const ScoreTable& table, std::span<const std::size_t> columns);

enum class Cells {
  Numbers,
  Names,  // any text; equal names become equal numbers
};

struct TableChoice {
  std::vector<std::string> columns = {};  // the score columns, in this order
  // The items' names. Nothing: "id", if there is such a column and it is not named for something
  // else; else they get none.
  std::optional<std::string> id = {};
  // Else "cluster" of a file of verdicts as `judge` writes it, else each row stands alone.
  std::optional<std::string> cluster = {};
  Cells cells = Cells::Numbers;
};

// Reads the chosen columns of a CSV or JSONL file; an empty cell is a missing score. Fails as
// NotFound or Invalid: columns that are not there, cells that are no number below 1e100, an empty
// cluster or id, an id that comes twice (each with its line), or no rows.
Result<ScoreTable> load_scores(const std::string& path, const TableChoice& choice);

// The column of ids: "id", else the first, but none that is `taken` for something else.
std::optional<std::string> find_id_column(const std::vector<std::string>& names,
                                          const std::vector<std::string>& taken);

// The names of a file's columns.
Result<std::vector<std::string>> load_column_names(const std::string& path);

}  // namespace personascope::report
