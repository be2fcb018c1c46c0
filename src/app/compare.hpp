// Comparing runs: stored ones, exports of them, or files of anybody's scores.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/gates.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "report/comparability.hpp"
#include "report/compare.hpp"
#include "report/corrected_differences.hpp"
#include "report/gate.hpp"
#include "report/item_changes.hpp"
#include "report/margin.hpp"
#include "report/outcome_comparison.hpp"

namespace personascope::app {

// For user interfaces, which include app, core and base only.
using report::Comparability;
using report::CorrectedDifference;
using report::ItemChange;
using report::ItemSide;
using report::MarginTest;
using report::OutcomeComparison;

// Conditions on every run but the first.
struct CompareGates {
  bool fail_if_worse = false;
  std::optional<double> not_worse_by;  // the margin
  std::optional<double> max_refused;   // below 1: a share
  std::optional<double>
      max_failed;  // below 1: a share; nothing: no failure is allowed if there is another gate

  bool any() const { return fail_if_worse || not_worse_by || max_refused || max_failed; }
};

struct CompareRequest {
  // One with several columns, or one a run; the number of a stored run in place of a file.
  std::vector<std::string> files;
  std::vector<std::string> columns;  // of a single file: the runs, the baseline first
  std::optional<std::string> id;     // nothing: "id"; of several files, else the first column
  std::optional<std::string> score;  // of several files, or of items with several scores
  std::optional<std::string> cluster;
  std::optional<std::string> scale;
  // Human labels, one a run in their order: columns of a single file, else files of labels by id.
  std::vector<std::string> human;
  report::CompareOptions options;

  bool anyway = false;                       // compare even items that were asked other questions
  std::optional<report::Unscored> unscored;  // nothing: Worst where a gate depends on it
  std::optional<double> margin;              // of equivalence
  CompareGates gates;
  bool items = false;                 // list the items
  std::optional<std::size_t> worse;   // only so many that got worse the most
  std::optional<std::string> output;  // a file for these items, in the form that its name tells
  std::optional<std::string> junit;   // a file for the gates
};

struct ComparedRuns {
  report::Comparison scores;
  std::optional<report::Comparability> settings;  // where items are known
  std::vector<report::OutcomeComparison> outcomes;
  std::vector<report::ScoreBounds> bounds;  // where items lack scores and the scale has ends
  report::Unscored unscored = report::Unscored::Drop;
  std::size_t filled = 0;  // items that got the worst score
  std::vector<report::MarginTest> margins;
  std::vector<report::CorrectedDifference> corrected;  // by human labels, where there are some
  std::vector<report::GateCheck> gates;
  std::vector<report::ItemChange> items;
};

// Fails as Invalid where nothing can be paired, and where items under the same id were asked
// different questions unless `anyway`.
Result<ComparedRuns> compare_runs(Context& context, const CompareRequest& command);

Json to_json(const ComparedRuns& compared);

}  // namespace personascope::app
