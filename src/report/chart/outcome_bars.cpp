#include <fmt/format.h>

#include "core/measure_text.hpp"
#include "report/chart/drawing.hpp"
#include "report/chart/frame.hpp"
#include "report/chart/text_size.hpp"

namespace personascope::report {
namespace {

constexpr double kOutcomeRow = 26;
constexpr double kOutcomeBar = 16;

std::string describe_share(std::int64_t count, std::int64_t total) {
  return core::render_value(static_cast<double>(count) / static_cast<double>(total),
                            core::kShareUnit, false);
}

std::string class_of(core::Outcome outcome) {
  return fmt::format("ps-{}", core::name_of(outcome));
}

// The outcomes of the first row, which is of all items, with their numbers.
std::vector<LegendEntry> list_outcomes(const OutcomeBars& chart) {
  std::vector<LegendEntry> entries;
  if (chart.rows.empty()) return entries;
  const core::OutcomeCounts& all = chart.rows.front().counts;
  for (const core::Outcome outcome : core::kOutcomes)
    if (all[outcome] > 0)
      entries.push_back(
          {class_of(outcome),
           fmt::format("{} {} ({})", core::name_of(outcome), core::render_count(all[outcome]),
                       describe_share(all[outcome], all.total()))});
  return entries;
}

void draw_outcome_row(Svg& svg, const OutcomeBars::Row& row, Span x, double top) {
  const std::int64_t total = row.counts.total();
  svg.text({x.from - 10, top + 13}, fit_text(row.label, kChartFont, kWidestLabel), "ps-text",
           Anchor::End);
  double done = 0;
  for (const core::Outcome outcome : core::kOutcomes) {
    const std::int64_t count = row.counts[outcome];
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(total);
    MarkInfo mark;
    mark.title = fmt::format("{}: {} {} of {} ({})", row.label, core::name_of(outcome),
                             core::render_count(count), core::render_count(total),
                             describe_share(count, total));
    mark.description =
        fmt::format("{} of {} items ended as {}", count, total, core::name_of(outcome));
    mark.values = {{"label", row.label},
                   {"outcome", std::string(core::name_of(outcome))},
                   {"n", std::to_string(count)}};
    svg.begin_mark(mark);
    svg.rect(x.at(done), top + 1, share * x.length(), kOutcomeBar, class_of(outcome));
    svg.end_mark();
    done += share;
  }
  svg.text({kChartWidth - kChartMargin, top + 13}, "n " + core::render_count(total), "ps-muted",
           Anchor::End);
}

}  // namespace

double draw_chart(Svg& svg, const OutcomeBars& chart) {
  double y = draw_chart_title(svg, chart.title);
  y = draw_legend(svg, list_outcomes(chart), y) + 4;
  std::vector<std::string> labels;
  for (const OutcomeBars::Row& row : chart.rows) labels.push_back(row.label);
  const Span x{kChartMargin + measure_labels(labels, kChartFont) * 1.04 + 14,
               kChartWidth - kChartMargin - 70};
  for (const OutcomeBars::Row& row : chart.rows) {
    draw_outcome_row(svg, row, x, y);
    y += kOutcomeRow;
  }
  return y + kChartMargin;
}

}  // namespace personascope::report
