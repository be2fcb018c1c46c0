// Charts of stored runs, as files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "report/run_charts.hpp"

namespace personascope::app {

using report::chart_kinds;
using report::ChartKind;
using report::Theme;

struct PlotCommand {
  std::int64_t run = 0;
  std::string kind;
  std::string part;    // of the chart's title, where a run has several of the kind; may be empty
  std::string output;  // ends in .svg, .png or .pdf; "-": SVG through write_output
  Theme theme = Theme::Light;
  std::function<Result<void>(std::string_view)> write_output{};
};

struct ChartEntry {
  std::string kind;
  std::string title;
};
Json to_json(const std::vector<ChartEntry>& charts);

// The charts that the run has. Fails as NotFound if there is no such run.
Result<std::vector<ChartEntry>> list_charts(Context& context, std::int64_t run);

// Draws one of them and returns which. Fails as NotFound if there is no such run or the program for
// PNG and PDF is missing, and as Invalid if the run has no such chart or the ending is another; the
// file appears only when it is whole.
Result<ChartEntry> plot(Context& context, const PlotCommand& command);

}  // namespace personascope::app
