#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/measure_text.hpp"
#include "report/chart/drawing.hpp"
#include "report/chart/frame.hpp"
#include "report/chart/text_size.hpp"

namespace personascope::report {
namespace {

constexpr double kPanelHeight = 54;
constexpr double kPanelGap = 8;
constexpr std::size_t kMostWholeValues = 12;
constexpr std::size_t kBins = 20;

class DistributionDrawing {
 public:
  DistributionDrawing(Svg& svg, const Distribution& chart) : svg_(svg), chart_(chart) {}

  double draw() {
    const double top = draw_chart_title(svg_, chart_.title);
    make_bins();
    std::vector<std::string> labels;
    for (const Distribution::Group& group : chart_.groups) labels.push_back(group.label);
    x_ = {kChartMargin + measure_labels(labels, kChartFont) * 1.04 + 14,
          kChartWidth - kChartMargin - 70};
    double y = top;
    for (std::size_t i = 0; i < chart_.groups.size(); ++i) {
      draw_group(i, y + kPanelHeight);
      y += kPanelHeight + kPanelGap;
    }
    return draw_x_ticks(y - kPanelGap) + kChartMargin;
  }

 private:
  // A bin for each whole number where all values are such; else bins of equal width.
  void make_bins() {
    RangeOfValues values;
    bool is_whole = true;
    for (const Distribution::Group& group : chart_.groups)
      for (const double value : group.values) {
        values.add(only_finite(std::optional(value)));
        is_whole = is_whole && value == std::floor(value);
      }
    core::Interval range = chart_.scale.value_or(values.range());
    is_whole = is_whole && range.high - range.low < static_cast<double>(kMostWholeValues) &&
               range.low == std::floor(range.low) && range.high == std::floor(range.high);
    if (is_whole) {
      low_ = range.low - 0.5;
      width_ = 1;
      bins_ = static_cast<std::size_t>(range.high - range.low) + 1;
    } else {
      if (!chart_.scale) {
        const Axis rounded = make_axis(range, 6, Ends::Round);
        range = {rounded.low, rounded.high};
      }
      low_ = range.low;
      width_ = std::max(range.high - range.low, 1e-12) / static_cast<double>(kBins);
      bins_ = kBins;
    }
    for (const Distribution::Group& group : chart_.groups) count(group);
  }

  void count(const Distribution::Group& group) {
    std::vector<std::int64_t> counts(bins_, 0);
    std::int64_t total = 0;
    for (const double value : group.values) {
      if (!std::isfinite(value)) continue;
      const double at =
          std::clamp(std::floor((value - low_) / width_), 0.0, static_cast<double>(bins_ - 1));
      ++counts[static_cast<std::size_t>(at)];
      ++total;
    }
    if (total > 0)
      highest_ = std::max(
          highest_, static_cast<double>(std::ranges::max(counts)) / static_cast<double>(total));
    counts_.push_back(std::move(counts));
    totals_.push_back(total);
  }

  double x_of(double value) const {
    return x_.at((value - low_) / (width_ * static_cast<double>(bins_)));
  }

  std::string name_bin(std::size_t bin) const {
    const double from = low_ + width_ * static_cast<double>(bin);
    if (width_ == 1 && low_ != std::floor(low_)) return fmt::format("{:g}", from + 0.5);
    return fmt::format("{:.4g} to {:.4g}", from, from + width_);
  }

  void draw_group(std::size_t index, double bottom) {
    const Distribution::Group& group = chart_.groups[index];
    svg_.text({x_.from - 10, bottom - kPanelHeight / 2 + 4},
              fit_text(group.label, kChartFont, kWidestLabel), "ps-text", Anchor::End);
    svg_.line({x_.from, bottom}, {x_.to, bottom}, "ps-grid");
    for (std::size_t bin = 0; bin < bins_; ++bin) {
      const std::int64_t count = counts_[index][bin];
      if (count == 0) continue;
      const double share = static_cast<double>(count) / static_cast<double>(totals_[index]);
      const double height = (kPanelHeight - 6) * share / highest_;
      const double from = x_of(low_ + width_ * static_cast<double>(bin));
      const double to = x_of(low_ + width_ * static_cast<double>(bin + 1));
      MarkInfo mark;
      mark.title = fmt::format("{}: {} of {} ({}) at {}", group.label, core::render_count(count),
                               core::render_count(totals_[index]),
                               core::render_value(share, core::kShareUnit, false), name_bin(bin));
      mark.description = fmt::format("{} items with the value {}", count, name_bin(bin));
      mark.values = {{"label", group.label},
                     {"bin", name_bin(bin)},
                     {"n", std::to_string(count)},
                     {"share", render_datum(share)}};
      svg_.begin_mark(mark);
      svg_.rect(from + 1, bottom - height, to - from - 2, height, "ps-f0 ps-soft");
      svg_.end_mark();
    }
    svg_.text({kChartWidth - kChartMargin, bottom - kPanelHeight / 2 + 4},
              "n " + core::render_count(totals_[index]), "ps-muted", Anchor::End);
  }

  double draw_x_ticks(double y) {
    svg_.line({x_.from, y}, {x_.to, y}, "ps-axis");
    const core::Interval ends{low_, low_ + width_ * static_cast<double>(bins_)};
    const bool is_whole = width_ == 1 && low_ != std::floor(low_);
    const Axis axis = is_whole ? make_axis({ends.low + 0.5, ends.high - 0.5}, bins_, Ends::Keep)
                               : make_axis(ends, count_ticks_that_fit(x_.length()), Ends::Keep);
    for (const double tick : axis.ticks)
      if (!is_whole || tick == std::floor(tick))
        svg_.text({x_of(tick), y + 16}, render_tick(axis, tick, chart_.unit, false), "ps-muted",
                  Anchor::Middle);
    return y + 24;
  }

  Svg& svg_;
  const Distribution& chart_;
  Span x_;
  double low_ = 0;
  double width_ = 1;
  std::size_t bins_ = 1;
  double highest_ = 1e-12;  // share of a bin
  std::vector<std::vector<std::int64_t>> counts_;
  std::vector<std::int64_t> totals_;
};

}  // namespace

double draw_chart(Svg& svg, const Distribution& chart) {
  return DistributionDrawing(svg, chart).draw();
}

}  // namespace personascope::report
