#include "report/chart/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/measure_text.hpp"
#include "report/chart/text_size.hpp"

namespace personascope::report {
namespace {

constexpr double kTitleFont = 15;
constexpr double kTitleLine = 20;
constexpr std::size_t kTitleLines = 3;
constexpr double kRoomForTick = 64;

}  // namespace

double draw_chart_title(Svg& svg, std::string_view title) {
  double y = kChartMargin;
  if (title.empty()) return y;
  for (const std::string& line :
       break_text(title, kTitleFont, kChartWidth - 2 * kChartMargin, kTitleLines)) {
    y += kTitleLine;
    svg.text({kChartMargin, y - 5}, line, "ps-text ps-title");
  }
  return y + 8;
}

std::size_t count_ticks_that_fit(double length) {
  return static_cast<std::size_t>(std::clamp(length / kRoomForTick, 2.0, 10.0));
}

double draw_x_axis(Svg& svg, const Axis& axis, Span x, Span y, std::string_view unit,
                   bool is_difference) {
  for (const double tick : axis.ticks) {
    const double at = x.at(axis.position_of(tick));
    const bool is_zero = is_difference && tick == 0;
    svg.line({at, y.from}, {at, y.to}, is_zero ? "ps-zero" : "ps-grid");
    svg.text({at, y.to + 16}, render_tick(axis, tick, unit, is_difference), "ps-muted",
             Anchor::Middle);
  }
  svg.line({x.from, y.to}, {x.to, y.to}, "ps-axis");
  return y.to + 24;
}

double measure_labels(const std::vector<std::string>& labels, double font_size) {
  double widest = 0;
  for (const std::string& label : labels)
    widest = std::max(widest, text_width(fit_text(label, font_size, kWidestLabel), font_size));
  return widest;
}

double draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double top) {
  constexpr double kSwatch = 10;
  constexpr double kLine = 18;
  double x = kChartMargin;
  double y = top;
  for (const LegendEntry& entry : entries) {
    const std::string text =
        fit_text(entry.text, kChartFont, kChartWidth - 2 * kChartMargin - 2 * kSwatch);
    const double width = kSwatch + 6 + text_width(text, kChartFont) + 18;
    if (x > kChartMargin && x + width > kChartWidth - kChartMargin) {
      x = kChartMargin;
      y += kLine;
    }
    svg.rect(x, y + 2, kSwatch, kSwatch, entry.css_class);
    svg.text({x + kSwatch + 6, y + 11}, text, "ps-text");
    x += width;
  }
  return entries.empty() ? y : y + kLine + 4;
}

MarkInfo make_mark(const std::string& label, const std::optional<double>& value,
                   const std::optional<core::Interval>& interval, std::int64_t n,
                   std::string_view unit, bool is_difference) {
  MarkInfo mark;
  const std::string shown =
      value ? core::render_value(value, unit, is_difference) : std::string("no value");
  mark.title = fmt::format("{}: {}", label, shown);
  mark.description = value ? fmt::format("{} {}", unit, shown) : shown;
  mark.values = {{"label", label}};
  if (value) mark.values.emplace_back("value", render_datum(*value));
  if (interval) {
    const std::string ends = core::render_interval(interval, unit, is_difference);
    mark.title += fmt::format(" ({})", ends);
    mark.description += "; 95 % interval " + ends;
    mark.values.emplace_back("low", render_datum(interval->low));
    mark.values.emplace_back("high", render_datum(interval->high));
  } else if (value) {
    mark.description += "; no interval";
  }
  if (n > 0) {
    mark.title += fmt::format(", n {}", core::render_count(n));
    mark.description += fmt::format("; {} item{}", core::render_count(n), n == 1 ? "" : "s");
    mark.values.emplace_back("n", std::to_string(n));
  }
  return mark;
}

void RangeOfValues::add(const std::optional<double>& value) {
  if (!value) return;
  if (!range_) range_ = core::Interval{*value, *value};
  range_->low = std::min(range_->low, *value);
  range_->high = std::max(range_->high, *value);
}

void RangeOfValues::add(const std::optional<core::Interval>& interval) {
  if (!interval) return;
  add(std::optional(interval->low));
  add(std::optional(interval->high));
}

core::Interval RangeOfValues::range() const {
  return range_.value_or(core::Interval{0, 1});
}

std::optional<double> only_finite(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<core::Interval> only_finite(const std::optional<core::Interval>& interval) {
  return interval && std::isfinite(interval->low) && std::isfinite(interval->high) ? interval
                                                                                   : std::nullopt;
}

}  // namespace personascope::report
