// The items of two runs by how much their scores changed, with what both runs answered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/outcome.hpp"
#include "report/row_writer.hpp"
#include "report/run_items.hpp"

namespace personascope::report {

struct ItemSide {
  core::Outcome outcome = core::Outcome::Answered;
  std::optional<double> score;
  std::string answer;
};

struct ItemChange {
  std::string id;
  std::string cluster;
  std::string label;
  Json asked;  // as find_asked
  ItemSide first;
  ItemSide second;
  std::optional<double> change;  // nothing where one of them has no score
};

enum class Direction { HigherIsBetter, LowerIsBetter };

// Every item of both runs, what got worse first: items that lost their score come before the
// largest loss, those that gained one after the largest gain. `first` and `second` are the tables
// of the runs, from which the scores are taken.
std::vector<ItemChange> list_item_changes(const RunItems& first, const ScoreTable& first_scores,
                                          const RunItems& second, const ScoreTable& second_scores,
                                          Direction direction);

// Whether the item lost its score or has a worse one.
bool is_worse(const ItemChange& item, Direction direction);

Json to_json(const ItemChange& item);

// One row an item: id, cluster, label, outcomes, scores, change, question and answers of both.
Result<void> write_item_changes(const std::vector<ItemChange>& items, RowFormat format,
                                WriteText write);

}  // namespace personascope::report
