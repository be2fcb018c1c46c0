// What each item of a test is worth, and the test as a whole: from runs of several models on the
// same items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "report/board.hpp"
#include "report/row_writer.hpp"
#include "stats/generalizability.hpp"

namespace personascope::report {

// A reason to look at an item, or to drop it.
enum class ItemFlag {
  OftenUnscored,   // a fifth of the models or more have no score
  SameForAll,      // every model has the same score: it tells none apart
  AgainstTheRest,  // models that are good at the rest are bad at it
  JudgesDisagree,  // judges are a quarter of the scale apart on average
};
std::string_view code_of(ItemFlag flag);  // "same_for_all"

struct ItemStatistics {
  std::string id;
  std::string cluster;
  std::string label;
  std::size_t models = 0;             // that have a score
  std::optional<double> mean{};       // over models
  std::optional<double> spread{};     // standard deviation between models; needs 2
  std::optional<double> item_rest{};  // correlation with the models' means on all other items;
                                      // needs 3 models, and means little below 10
  std::optional<double> judge_gap{};  // mean distance of two judges' scores
  std::vector<ItemFlag> flags{};
};

// What a larger test would be worth.
struct LargerTest {
  std::string more;  // "personas", "questions", "draws", "judges"
  stats::Generalizability value;
};

struct Reliability {
  stats::RankingComponents components;
  stats::Generalizability now;
  std::vector<LargerTest> twice;  // with twice as many of one thing, the best first
};

struct ItemReport {
  std::string evaluation;
  std::string score;  // which of several; empty if items have one
  std::optional<stats::Scale> scale;
  std::vector<std::string> models;    // rows that were compared, best first
  std::vector<std::string> judges;    // whose scores are known one by one
  std::vector<ItemStatistics> items;  // those with flags first, then by how little they tell
  std::size_t flagged = 0;
  Result<Reliability> reliability;
};

// Runs of one model and setting are pooled; with other judges they are further judges. Fails as
// Invalid if there are no runs, or if they are of different evaluations or had different items.
Result<ItemReport> make_item_report(const std::vector<BoardRun>& runs);

Json to_json(const ItemReport& report);
// A row an item, in any form but Parquet.
Result<void> write_item_statistics(const ItemReport& report, RowFormat format, WriteText write);

}  // namespace personascope::report
