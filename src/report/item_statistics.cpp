#include "report/item_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "report/estimate_json.hpp"
#include "stats/sum.hpp"

namespace personascope::report {
namespace {

constexpr double kOftenUnscored = 0.2;
constexpr double kFarApart = 0.25;  // of the scale
constexpr std::size_t kFewestForRest = 3;
constexpr std::size_t kFewestForFlag = 5;  // models, before an item is said to be against the rest

using ModelCells = std::vector<std::optional<double>>;

// Means of what was added, by item.
class CellMeans {
 public:
  explicit CellMeans(std::size_t items) : sums_(items), counts_(items) {}

  void add(std::size_t item, const std::optional<double>& score) {
    if (!score) return;
    sums_[item] += *score;
    ++counts_[item];
  }
  ModelCells make() const {
    ModelCells cells;
    for (std::size_t i = 0; i < sums_.size(); ++i)
      cells.push_back(counts_[i] == 0 ? std::nullopt
                                      : std::optional(sums_[i] / static_cast<double>(counts_[i])));
    return cells;
  }

 private:
  std::vector<double> sums_;
  std::vector<std::size_t> counts_;
};

// The judge of a run whose items do not name theirs.
std::string find_run_judge(const BoardRun& run) {
  for (const char* name : {"judges", "judge", "critics"})
    if (const auto found = run.settings.test.find(name); found != run.settings.test.end())
      return found->second;
  return "";
}

// Everything by model, and by judge and model.
struct ByModel {
  std::vector<std::string> names;
  std::vector<ModelCells> scores;
  std::map<std::string, std::vector<ModelCells>> by_judge;  // a list a model
};

ByModel gather(const std::vector<BoardRun>& runs) {
  const std::size_t items = runs.front().items.size();
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> row_of_run;
  ByModel found;
  for (const BoardRun& run : runs) {
    std::string key = run.model;
    for (const auto& [name, value] : run.settings.model) key += ", " + name + " " + value;
    const auto [place, is_new] = numbers.try_emplace(key, numbers.size());
    if (is_new) found.names.push_back(run.model);
    row_of_run.push_back(place->second);
  }
  const std::vector<std::string> plain = found.names;
  for (const auto& [key, row] : numbers)  // settings only where they tell rows apart
    if (std::ranges::count(plain, plain[row]) > 1) found.names[row] = key;
  std::vector<CellMeans> all(numbers.size(), CellMeans(items));
  std::map<std::string, std::vector<CellMeans>> by_judge;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::string own_judge = find_run_judge(runs[r]);
    for (std::size_t i = 0; i < items; ++i) {
      const BoardItem& item = runs[r].items[i];
      all[row_of_run[r]].add(i, item.score);
      const auto add = [&](const std::string& judge, const std::optional<double>& score) {
        auto& means = by_judge.try_emplace(judge, numbers.size(), CellMeans(items)).first->second;
        means[row_of_run[r]].add(i, score);
      };
      if (item.judges.is_object() && !item.judges.empty())
        for (const auto& [judge, value] : item.judges.items())
          add(judge, find_number(item.judges, judge));
      else if (!own_judge.empty())
        add(own_judge, item.score);
    }
  }
  for (const CellMeans& means : all) found.scores.push_back(means.make());
  for (const auto& [judge, means] : by_judge)
    for (const CellMeans& own : means) found.by_judge[judge].push_back(own.make());
  return found;
}

std::optional<double> correlate(const std::vector<double>& first,
                                const std::vector<double>& second) {
  if (first.size() < kFewestForRest) return std::nullopt;
  const double spreads = stats::squared_deviations(first) * stats::squared_deviations(second);
  if (!(spreads > 0)) return std::nullopt;
  return stats::cross_deviations(first, second) / std::sqrt(spreads);
}

// The mean of each model on all its items but one.
class RestMeans {
 public:
  explicit RestMeans(const std::vector<ModelCells>& scores) : scores_(scores) {
    for (const ModelCells& cells : scores) {
      double sum = 0;
      std::size_t count = 0;
      for (const auto& cell : cells) {
        sum += cell.value_or(0);
        count += cell.has_value();
      }
      sums_.push_back(sum);
      counts_.push_back(count);
    }
  }
  std::optional<double> find_correlation(std::size_t item) const {
    std::vector<double> own, rest;
    for (std::size_t m = 0; m < scores_.size(); ++m) {
      const auto& cell = scores_[m][item];
      if (!cell || counts_[m] < 2) continue;
      own.push_back(*cell);
      rest.push_back((sums_[m] - *cell) / static_cast<double>(counts_[m] - 1));
    }
    return correlate(own, rest);
  }

 private:
  const std::vector<ModelCells>& scores_;
  std::vector<double> sums_;
  std::vector<std::size_t> counts_;
};

std::optional<double> find_judge_gap(const ByModel& found, std::size_t item) {
  double sum = 0;
  std::size_t pairs = 0;
  for (auto first = found.by_judge.begin(); first != found.by_judge.end(); ++first)
    for (auto second = std::next(first); second != found.by_judge.end(); ++second)
      for (std::size_t m = 0; m < found.scores.size(); ++m) {
        const auto& a = first->second[m][item];
        const auto& b = second->second[m][item];
        if (!a || !b) continue;
        sum += std::abs(*a - *b);
        ++pairs;
      }
  return pairs == 0 ? std::nullopt : std::optional(sum / static_cast<double>(pairs));
}

ItemStatistics describe_item(const BoardItem& item, std::size_t number, const ByModel& found,
                             const RestMeans& rest, const std::optional<stats::Scale>& scale) {
  ItemStatistics made{.id = item.id, .cluster = item.cluster, .label = item.label};
  std::vector<double> scores;
  for (const ModelCells& cells : found.scores)
    if (cells[number]) scores.push_back(*cells[number]);
  made.models = scores.size();
  if (!scores.empty()) made.mean = stats::mean_of(scores);
  if (scores.size() > 1)
    made.spread =
        std::sqrt(stats::squared_deviations(scores) / static_cast<double>(scores.size() - 1));
  made.item_rest = rest.find_correlation(number);
  made.judge_gap = find_judge_gap(found, number);
  const auto models = static_cast<double>(found.scores.size());
  if (models - static_cast<double>(scores.size()) >= kOftenUnscored * models)
    made.flags.push_back(ItemFlag::OftenUnscored);
  if (scores.size() > 1 && *made.spread == 0) made.flags.push_back(ItemFlag::SameForAll);
  if (scores.size() >= kFewestForFlag && made.item_rest && *made.item_rest < 0)
    made.flags.push_back(ItemFlag::AgainstTheRest);
  if (made.judge_gap && scale && *made.judge_gap >= kFarApart * (scale->high - scale->low))
    made.flags.push_back(ItemFlag::JudgesDisagree);
  return made;
}

// The items that all models (and all judges, if `judges`) have a score for, with their keys.
struct CompleteItems {
  std::vector<std::size_t> items;
  std::vector<std::size_t> personas;
  std::vector<std::size_t> questions;
};

CompleteItems find_complete(const BoardRun& run, const std::vector<const ModelCells*>& all) {
  CompleteItems found;
  std::map<std::string, std::size_t> personas, questions;
  for (std::size_t i = 0; i < run.items.size(); ++i) {
    if (!std::ranges::all_of(all, [&](const ModelCells* cells) { return (*cells)[i].has_value(); }))
      continue;
    const std::string question = question_of(run.items[i].id);
    const std::string& persona = run.items[i].cluster.empty() ? question : run.items[i].cluster;
    found.items.push_back(i);
    found.personas.push_back(personas.try_emplace(persona, personas.size()).first->second);
    found.questions.push_back(questions.try_emplace(question, questions.size()).first->second);
  }
  return found;
}

std::vector<std::vector<double>> take(const std::vector<ModelCells>& scores,
                                      const std::vector<std::size_t>& items) {
  std::vector<std::vector<double>> taken;
  for (const ModelCells& cells : scores) {
    taken.emplace_back();
    for (const std::size_t i : items) taken.back().push_back(*cells[i]);
  }
  return taken;
}

Result<Reliability> measure_reliability(const BoardRun& run, const ByModel& found) {
  std::vector<const ModelCells*> all;
  for (const ModelCells& cells : found.scores) all.push_back(&cells);
  CompleteItems complete = find_complete(run, all);
  if (complete.items.empty()) return fail(ErrorKind::Invalid, "no item has a score of every model");
  Reliability reliability;
  ASSIGN_OR_RETURN(reliability.components,
                   stats::ranking_components(take(found.scores, complete.items), complete.personas,
                                             complete.questions));
  if (found.by_judge.size() > 1) {
    for (const auto& [judge, models] : found.by_judge)
      for (const ModelCells& cells : models) all.push_back(&cells);
    complete = find_complete(run, all);
    std::vector<std::vector<std::vector<double>>> by_judge;
    for (const auto& [judge, models] : found.by_judge)
      by_judge.push_back(take(models, complete.items));
    if (const auto variance = stats::model_by_judge_variance(by_judge)) {
      reliability.components.model_by_judge = *variance;
      reliability.components.judges = found.by_judge.size();
    }
  }
  const stats::TestSize size = stats::size_of(reliability.components);
  reliability.now = stats::generalize(reliability.components, size);
  const auto add = [&](const char* more, double stats::TestSize::* member) {
    stats::TestSize larger = size;
    larger.*member *= 2;
    reliability.twice.push_back({more, stats::generalize(reliability.components, larger)});
  };
  add("personas", &stats::TestSize::personas);
  add("questions", &stats::TestSize::questions_per_persona);
  if (reliability.components.draw) add("draws", &stats::TestSize::draws_per_question);
  if (reliability.components.model_by_judge) add("judges", &stats::TestSize::judges);
  std::ranges::stable_sort(reliability.twice, std::greater<>{},
                           [](const LargerTest& test) { return test.value.coefficient; });
  return reliability;
}

Result<void> check_same_items(const std::vector<BoardRun>& runs) {
  if (runs.empty()) return fail(ErrorKind::Invalid, "there is no run to look at");
  for (const BoardRun& run : runs) {
    const BoardRun& first = runs.front();
    if (run.evaluation != first.evaluation || run.score != first.score)
      return fail(ErrorKind::Invalid,
                  "run {} is of {} and run {} of {}: they have no items in "
                  "common",
                  first.run, printable(first.evaluation), run.run, printable(run.evaluation));
    if (run.asked != first.asked)
      return fail(
          ErrorKind::Invalid,
          "run {} was asked other items than run {}; `personascope leaderboard` shows which "
          "runs have the same",
          run.run, first.run);
  }
  return {};
}

}  // namespace

std::string_view code_of(ItemFlag flag) {
  switch (flag) {
    case ItemFlag::OftenUnscored:
      return "often_unscored";
    case ItemFlag::SameForAll:
      return "same_for_all";
    case ItemFlag::AgainstTheRest:
      return "against_the_rest";
    case ItemFlag::JudgesDisagree:
      return "judges_disagree";
  }
  return "";
}

Result<ItemReport> make_item_report(const std::vector<BoardRun>& runs) {
  RETURN_IF_ERROR(check_same_items(runs));
  const ByModel found = gather(runs);
  ItemReport report{.evaluation = runs.front().evaluation,
                    .score = runs.front().score,
                    .scale = runs.front().scale,
                    .models = found.names,
                    .judges = {},
                    .items = {},
                    .reliability = measure_reliability(runs.front(), found)};
  for (const auto& [judge, scores] : found.by_judge) report.judges.push_back(judge);
  const RestMeans rest(found.scores);
  for (std::size_t i = 0; i < runs.front().items.size(); ++i) {
    report.items.push_back(describe_item(runs.front().items[i], i, found, rest, report.scale));
    report.flagged += !report.items.back().flags.empty();
  }
  std::ranges::stable_sort(report.items, [](const ItemStatistics& a, const ItemStatistics& b) {
    if (a.flags.size() != b.flags.size()) return a.flags.size() > b.flags.size();
    return a.item_rest.value_or(1) < b.item_rest.value_or(1);
  });
  return report;
}

}  // namespace personascope::report
