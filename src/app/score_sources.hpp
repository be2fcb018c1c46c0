// Where scores come from: a file of anybody's, or a stored run, whose number stands in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/result.hpp"
#include "report/join.hpp"
#include "report/score_table.hpp"
#include "stats/estimate.hpp"

namespace personascope::app {

// The number of a stored run, where that is meant: a file of that name comes first.
std::optional<std::int64_t> find_run(const std::string& word);

// Files and stored runs, in the order given, a table each. Where there is no `scale`, it is taken
// from the first run that has one.
Result<std::vector<report::NamedTable>> load_sources(Context& context,
                                                     std::span<const std::string> words,
                                                     const report::JoinChoice& choice,
                                                     std::optional<stats::Scale>& scale);

// A sentence for each judge of a stored run's plan that is a tiny model.
std::set<std::string> describe_tiny_judges(const Json& plan);
// What a reader of scores from the stored runs among `words` must know: that a judge of theirs is a
// tiny model. A sentence each.
Result<std::vector<std::string>> list_warnings(Context& context,
                                               std::span<const std::string> words);

// A judge's scores and human labels: two columns of one file, or a stored run and a file of labels
// with the ids of its items.
struct JudgedItems {
  std::vector<std::string> sources;
  std::string judge;              // of one file; else empty
  std::string human;              // the column of labels; may be empty for a file of labels alone
  std::optional<std::string> id;  // nothing: "id"; of labels, else the first column
  std::optional<std::string> cluster;
  std::optional<std::string> score;  // of a run whose items have several
  std::vector<std::string> runs;     // more columns: of one file, or further runs' numbers
  std::vector<std::string> columns;  // more columns, of one file or of the labels
};
struct JudgedTable {
  // The judge, the labels, then `runs` and `columns` in their order.
  report::ScoreTable table;
  std::size_t unmatched = 0;  // labels of no item
};
// Sets `scale` from the run if there is none.
Result<JudgedTable> load_judged(Context& context, const JudgedItems& items,
                                std::optional<stats::Scale>& scale);

}  // namespace personascope::app
