#include "report/run_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace personascope::report {
namespace {

constexpr std::size_t kMostClusters = 200;  // rows of a heat map
constexpr std::size_t kMostGroups = 24;     // of items, by label
constexpr std::size_t kMostSeries = 6;      // lines of one chart, as many as there are colours
constexpr std::size_t kLeastSpokes = 3;
constexpr std::size_t kMostSpokes = 12;

const std::string& label_of_metric(const core::Metric& metric) {
  return metric.group.empty() ? metric.name : metric.group;
}

class ChartMaker {
 public:
  ChartMaker(const store::RunEntry& run, const core::Findings& findings,
             const std::vector<core::ItemRecord>& items)
      : run_(run), findings_(findings), items_(items) {}

  std::vector<RunChart> make() {
    add_outcomes();
    for (const core::Part& part : findings_.parts)
      if (const auto* list = std::get_if<core::MetricList>(&part)) add_metrics(*list);
    add_radar();
    for (const core::Part& part : findings_.parts)
      if (const auto* matrix = std::get_if<core::Matrix>(&part)) add_matrix(*matrix);
    add_cluster_map();
    add_curves();
    add_distribution();
    std::ranges::stable_sort(charts_, {}, [](const RunChart& chart) {
      return std::ranges::find_if(chart_kinds(),
                                  [&](const ChartKind& kind) { return chart.kind == kind.name; }) -
             chart_kinds().begin();
    });
    return std::move(charts_);
  }

 private:
  void add(std::string kind, Chart chart) {
    charts_.push_back({std::move(kind), std::move(chart)});
  }

  // In the order of their first item.
  std::vector<std::string> list_labels() const {
    std::vector<std::string> labels;
    for (const core::ItemRecord& item : items_)
      if (!item.label.empty() && (labels.empty() || labels.back() != item.label) &&
          std::ranges::find(labels, item.label) == labels.end()) {
        labels.push_back(item.label);
        if (labels.size() > kMostGroups) return {};
      }
    return labels;
  }

  void add_outcomes() {
    OutcomeBars bars{"Outcomes of the items", {{"all", run_.outcomes}}};
    if (run_.outcomes.total() == 0) return;
    const std::vector<std::string> labels = list_labels();
    for (std::size_t i = 0; i < labels.size() && labels.size() > 1; ++i)
      bars.rows.push_back({labels[i], {}});
    for (const core::ItemRecord& item : items_)
      for (OutcomeBars::Row& row : bars.rows)
        if (&row != &bars.rows.front() && row.label == item.label) ++row.counts[item.outcome];
    add("outcomes", std::move(bars));
  }

  // Scores of the gym's tasks are on the scale of the headline.
  std::optional<core::Interval> scale_of(const core::Metric& metric) const {
    if (metric.is_difference) return std::nullopt;
    if (metric.scale) return metric.scale;
    if (metric.unit == core::kShareUnit) return core::Interval{0, 1};
    if (findings_.headline && findings_.headline->unit == metric.unit)
      return findings_.headline->scale;
    return std::nullopt;
  }

  // A scale that all of these have in common.
  std::optional<core::Interval> common_scale(
      const std::vector<const core::Metric*>& metrics) const {
    const auto first = scale_of(*metrics.front());
    for (const core::Metric* metric : metrics) {
      const auto own = scale_of(*metric);
      if (!first || !own || own->low != first->low || own->high != first->high) return std::nullopt;
    }
    return first;
  }

  // The metrics with a value, those of one unit together, in the order of the list.
  static std::vector<std::vector<const core::Metric*>> group_by_unit(const core::MetricList& list) {
    std::vector<std::vector<const core::Metric*>> groups;
    for (const core::Metric& metric : list.metrics) {
      const auto found = std::ranges::find_if(groups, [&](const auto& group) {
        return group.front()->unit == metric.unit &&
               group.front()->is_difference == metric.is_difference;
      });
      if (found == groups.end())
        groups.push_back({&metric});
      else
        found->push_back(&metric);
    }
    std::erase_if(groups, [](const auto& group) {
      return std::ranges::none_of(group, [](const core::Metric* one) { return one->value; });
    });
    return groups;
  }

  void add_metrics(const core::MetricList& list) {
    const auto groups = group_by_unit(list);
    for (const auto& group : groups) {
      const core::Metric& first = *group.front();
      IntervalChart chart;
      chart.title = groups.size() > 1 && first.unit != core::kNumberUnit
                        ? fmt::format("{} ({})", list.title, first.unit)
                        : list.title;
      chart.unit = first.unit;
      chart.is_difference = first.is_difference;
      chart.scale = common_scale(group);
      chart.form = first.is_difference ? IntervalForm::Bars : IntervalForm::Dots;
      for (const core::Metric* metric : group)
        chart.rows.push_back({label_of_metric(*metric), metric->value, metric->interval, metric->n,
                              metric->group.empty() && group.size() > 1});
      add(first.is_difference ? "differences" : "scores", std::move(chart));
    }
  }

  void add_radar() {
    for (const core::Part& part : findings_.parts) {
      const auto* list = std::get_if<core::MetricList>(&part);
      if (!list) continue;
      for (auto& group : group_by_unit(*list)) {
        std::erase_if(group, [](const core::Metric* one) { return one->group.empty(); });
        if (group.size() < kLeastSpokes || group.size() > kMostSpokes) continue;
        const auto scale = common_scale(group);
        if (!scale) continue;
        RadarChart chart{list->title, group.front()->unit, *scale, {}};
        for (const core::Metric* metric : group)
          chart.spokes.push_back({metric->group, metric->value, metric->interval, metric->n});
        add("radar", std::move(chart));
        return;
      }
    }
  }

  void add_matrix(const core::Matrix& matrix) {
    HeatMap map{matrix.title, core::kNumberUnit, matrix.row_name, matrix.column_name,
                {},           matrix.rows,       matrix.columns,  {}};
    for (const auto& row : matrix.cells) {
      auto& cells = map.cells.emplace_back();
      for (const double cell : row) cells.push_back({cell, 0});
      cells.resize(matrix.columns.size());
    }
    map.cells.resize(matrix.rows.size(), std::vector<HeatMap::Cell>(matrix.columns.size()));
    add("heatmap", std::move(map));
  }

  void add_cluster_map() {
    const std::vector<std::string> labels = list_labels();
    if (labels.size() < 2) return;
    struct Sum {
      double sum = 0;
      std::int64_t n = 0;
    };
    std::map<std::string, std::vector<Sum>> clusters;
    for (const core::ItemRecord& item : items_) {
      if (!item.score || !std::isfinite(*item.score) || item.cluster.empty()) continue;
      const auto column = std::ranges::find(labels, item.label) - labels.begin();
      if (column == std::ssize(labels)) continue;
      auto& sums = clusters[item.cluster];
      sums.resize(labels.size());
      sums[static_cast<std::size_t>(column)].sum += *item.score;
      ++sums[static_cast<std::size_t>(column)].n;
    }
    if (clusters.size() < 2) return;
    HeatMap map{"Mean score by persona and label",
                score_unit(),
                "cluster",
                "label",
                score_scale(),
                {},
                labels,
                {}};
    if (clusters.size() > kMostClusters)
      map.title += fmt::format(" (the first {} of {})", kMostClusters, clusters.size());
    for (const auto& [cluster, sums] : clusters) {
      if (map.rows.size() == kMostClusters) break;
      map.rows.push_back(cluster);
      auto& cells = map.cells.emplace_back();
      for (const Sum& one : sums)
        cells.push_back(one.n > 0 ? HeatMap::Cell{one.sum / static_cast<double>(one.n), one.n}
                                  : HeatMap::Cell{});
    }
    add("heatmap", std::move(map));
  }

  // Of the items' scores: that of the headline, if it is a mean of them.
  std::string score_unit() const {
    return findings_.headline ? findings_.headline->unit : core::kScoreUnit;
  }
  std::optional<core::Interval> score_scale() const {
    if (!findings_.headline) return std::nullopt;
    return scale_of(*findings_.headline);
  }

  void add_curves() {
    std::vector<LineChart> charts;
    for (const core::Part& part : findings_.parts) {
      const auto* curve = std::get_if<core::Curve>(&part);
      if (!curve || curve->points.empty()) continue;
      LineChart::Series series{curve->title, {}};
      for (const core::Point& point : curve->points)
        series.points.push_back({point.x, point.y, point.interval, point.n});
      std::ranges::sort(series.points, {}, &LineChart::Point::x);
      const auto found = std::ranges::find_if(charts, [&](const LineChart& chart) {
        return chart.unit == curve->unit && chart.x_name == curve->x_name &&
               chart.series.size() < kMostSeries;
      });
      if (found != charts.end()) {
        found->title += ", " + curve->title;
        if (found->y_name != curve->y_name) found->y_name.clear();
        found->series.push_back(std::move(series));
        continue;
      }
      LineChart chart{curve->title, curve->x_name, curve->y_name, curve->unit, {}, {}};
      if (curve->unit == core::kShareUnit) chart.scale = core::Interval{0, 1};
      chart.series.push_back(std::move(series));
      charts.push_back(std::move(chart));
    }
    for (LineChart& chart : charts) add("curves", std::move(chart));
  }

  void add_distribution() {
    Distribution by_label{"Distribution of the items' scores", score_unit(), score_scale(), {}};
    std::map<std::string, Distribution::Group> by_name;
    const std::vector<std::string> labels = list_labels();
    by_label.groups.resize(std::max<std::size_t>(labels.size(), 1));
    for (std::size_t i = 0; i < labels.size(); ++i) by_label.groups[i].label = labels[i];
    if (labels.empty()) by_label.groups[0].label = "all";
    for (const core::ItemRecord& item : items_) {
      if (item.score) {
        const auto at = std::ranges::find(labels, item.label) - labels.begin();
        if (labels.empty() || at < std::ssize(labels))
          by_label.groups[labels.empty() ? 0 : static_cast<std::size_t>(at)].values.push_back(
              *item.score);
      }
      if (!item.scores.is_object()) continue;
      for (const auto& [name, score] : item.scores.items())
        if (score.is_number()) {
          by_name[name].label = name;
          by_name[name].values.push_back(score.get<double>());
        }
    }
    std::erase_if(by_label.groups, [](const auto& group) { return group.values.empty(); });
    if (!by_label.groups.empty()) add("distribution", std::move(by_label));
    if (by_name.empty() || by_name.size() > kMostGroups) return;
    // They may be on several scales, so that one axis for all would say nothing.
    for (auto& [name, group] : by_name) {
      Distribution one{fmt::format("Distribution of {}", name), core::kScoreUnit, {}, {}};
      one.groups.push_back(std::move(group));
      add("distribution", std::move(one));
    }
  }

  const store::RunEntry& run_;
  const core::Findings& findings_;
  const std::vector<core::ItemRecord>& items_;
  std::vector<RunChart> charts_;
};

}  // namespace

const std::vector<ChartKind>& chart_kinds() {
  static const std::vector<ChartKind> kKinds{
      {"outcomes", "how the items ended: scored, abstained, refused, failed"},
      {"scores", "scores with their intervals"},
      {"differences", "differences with their intervals and a line at zero"},
      {"radar", "the scores of one list on spokes"},
      {"heatmap", "mean scores by persona and task, or a matrix of the findings"},
      {"curves", "lines with bands: pass@k, scores turn by turn"},
      {"distribution", "how often which scores occur"}};
  return kKinds;
}

std::vector<RunChart> make_charts(const store::RunEntry& run, const core::Findings& findings,
                                  const std::vector<core::ItemRecord>& items) {
  return ChartMaker(run, findings, items).make();
}

Result<std::vector<core::ItemRecord>> load_all_items(store::Reader& reader, std::int64_t run) {
  constexpr std::int64_t kPage = 10'000;
  std::vector<core::ItemRecord> items;
  store::ItemFilter filter;
  filter.limit = kPage;
  for (;;) {
    ASSIGN_OR_RETURN(auto page, reader.load_items(run, filter));
    const bool is_last = std::ssize(page) < kPage;
    std::ranges::move(page, std::back_inserter(items));
    if (is_last) return items;
    filter.offset += kPage;
  }
}

}  // namespace personascope::report
