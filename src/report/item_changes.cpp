#include "report/item_changes.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "report/estimate_json.hpp"

namespace personascope::report {
namespace {

ItemSide make_side(const core::ItemRecord& item, const std::optional<double>& score) {
  return {item.outcome, score, find_answer(item)};
}

// By which items are sorted: the improvement, and the ends for scores that came or went.
double rank_of(const ItemChange& item, Direction direction) {
  constexpr double kEnd = std::numeric_limits<double>::infinity();
  if (item.change) return direction == Direction::HigherIsBetter ? *item.change : -*item.change;
  if (item.first.score && !item.second.score) return -kEnd;
  return item.second.score ? kEnd : 0;
}

}  // namespace

std::vector<ItemChange> list_item_changes(const RunItems& first, const ScoreTable& first_scores,
                                          const RunItems& second, const ScoreTable& second_scores,
                                          Direction direction) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < second.items.size(); ++i) places.emplace(second.items[i].id, i);
  std::vector<ItemChange> changes;
  for (std::size_t i = 0; i < first.items.size(); ++i) {
    const core::ItemRecord& item = first.items[i];
    const auto found = places.find(item.id);
    if (found == places.end()) continue;
    ItemChange change;
    change.id = item.id;
    change.cluster = item.cluster;
    change.label = item.label;
    change.asked = find_asked(item);
    change.first = make_side(item, first_scores.columns.front().cells[i]);
    change.second =
        make_side(second.items[found->second], second_scores.columns.front().cells[found->second]);
    if (change.first.score && change.second.score)
      change.change = *change.second.score - *change.first.score;
    changes.push_back(std::move(change));
  }
  std::ranges::stable_sort(changes, {},
                           [&](const ItemChange& item) { return rank_of(item, direction); });
  return changes;
}

bool is_worse(const ItemChange& item, Direction direction) {
  return rank_of(item, direction) < 0;
}

Json to_json(const ItemChange& item) {
  const auto side = [](const ItemSide& one) {
    return Json{{"outcome", core::name_of(one.outcome)},
                {"score", to_json_or_null(one.score)},
                {"answer", one.answer}};
  };
  return {{"id", item.id},
          {"cluster", item.cluster},
          {"label", item.label},
          {"asked", item.asked},
          {"change", to_json_or_null(item.change)},
          {"first", side(item.first)},
          {"second", side(item.second)}};
}

Result<void> write_item_changes(const std::vector<ItemChange>& items, RowFormat format,
                                WriteText write) {
  const auto writer = make_row_writer(
      format,
      {"id", "cluster", "label", "change", "first_score", "second_score", "first_outcome",
       "second_outcome", "question", "first_answer", "second_answer"},
      std::move(write));
  for (const ItemChange& item : items) {
    const Json* question = find_member(item.asked, "question");
    const Json row = {{"id", item.id},
                      {"cluster", item.cluster},
                      {"label", item.label},
                      {"change", to_json_or_null(item.change)},
                      {"first_score", to_json_or_null(item.first.score)},
                      {"second_score", to_json_or_null(item.second.score)},
                      {"first_outcome", core::name_of(item.first.outcome)},
                      {"second_outcome", core::name_of(item.second.outcome)},
                      {"question", question ? *question : item.asked},
                      {"first_answer", item.first.answer},
                      {"second_answer", item.second.answer}};
    RETURN_IF_ERROR(writer->write(row));
  }
  return writer->finish();
}

}  // namespace personascope::report
