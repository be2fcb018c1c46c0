// The charts of a stored run: which there are follows from the shapes of its findings and from what
// its items have, never from the evaluation.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/findings.hpp"
#include "core/item.hpp"
#include "report/chart/chart.hpp"
#include "store/reader.hpp"

namespace personascope::report {

// A kind of chart, as users name it.
struct ChartKind {
  const char* name;     // "scores"
  const char* meaning;  // in a phrase
};
// In the order in which reports show them.
const std::vector<ChartKind>& chart_kinds();

struct RunChart {
  std::string kind;
  Chart chart;
};

// The first of a kind is the most important one.
//   outcomes      how the items ended, all of them and by label
//   scores        every list of metrics that are no differences, those of one unit together
//   differences   every list of differences, with a line at zero
//   radar         the first list of three or more metrics on one scale
//   heatmap       every matrix; the mean score by cluster and label
//   curves        curves over the same thing in the same unit are in one chart
//   distribution  the scores of the items by label, or by name where an item has several
std::vector<RunChart> make_charts(const store::RunEntry& run, const core::Findings& findings,
                                  const std::vector<core::ItemRecord>& items);

// All items without their documents.
Result<std::vector<core::ItemRecord>> load_all_items(store::Reader& reader, std::int64_t run);

}  // namespace personascope::report
