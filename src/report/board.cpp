#include "report/board.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "report/board_claims.hpp"
#include "report/estimate_json.hpp"
#include "stats/score_mean.hpp"
#include "stats/sign_flip.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kMostLabels = 12;

std::string hash_asked(const std::vector<const core::ItemRecord*>& items) {
  Sha256 hash;
  for (const core::ItemRecord* item : items)
    hash.update(render_json(Json::array({item->id, item->cluster, find_asked(*item)})) + "\n");
  return render_hex(hash.digest());
}

bool is_unscored(core::Outcome outcome) {
  return outcome == core::Outcome::Refused || outcome == core::Outcome::Empty ||
         outcome == core::Outcome::Abstained;
}

// Those that may stand together have the same key.
using BoardKey = std::tuple<std::string, std::string, std::string, Settings>;
BoardKey key_of(const BoardRun& run) {
  return {run.evaluation, run.score, run.asked, run.settings.test};
}

// A row while its runs are added up.
struct Pooled {
  const BoardRun* first = nullptr;
  std::vector<std::int64_t> runs;
  core::OutcomeCounts outcomes;
  std::vector<double> sums;  // by item
  std::vector<int> counts;
  std::set<std::size_t> filled;
};

void add_run(Pooled& row, const BoardRun& run, std::optional<double> worst) {
  row.runs.push_back(run.run);
  row.sums.resize(run.items.size());
  row.counts.resize(run.items.size());
  for (std::size_t i = 0; i < run.items.size(); ++i) {
    const BoardItem& item = run.items[i];
    ++row.outcomes[item.outcome];
    std::optional<double> score = item.score;
    if (!score && worst && is_unscored(item.outcome)) {
      score = worst;
      row.filled.insert(i);
    }
    if (!score) continue;
    row.sums[i] += *score;
    ++row.counts[i];
  }
}

std::vector<Pooled> pool_runs(const std::vector<const BoardRun*>& runs,
                              std::optional<double> worst) {
  std::map<std::pair<std::string, Settings>, Pooled> rows;
  for (const BoardRun* run : runs) {
    Pooled& row = rows[{run->model, run->settings.model}];
    if (!row.first) row.first = run;
    add_run(row, *run, worst);
  }
  std::vector<Pooled> list;
  for (auto& [key, row] : rows) list.push_back(std::move(row));
  return list;
}

// One column a row; items and clusters as in the runs.
ScoreTable make_board_table(const std::vector<Pooled>& rows) {
  ScoreTable table;
  const std::vector<BoardItem>& items = rows.front().first->items;
  const bool is_clustered =
      std::ranges::none_of(items, [](const BoardItem& item) { return item.cluster.empty(); });
  if (is_clustered) table.cluster_column = "persona";
  std::map<std::string, std::size_t> numbers;
  for (const BoardItem& item : items) {
    table.ids.push_back(item.id);
    const std::string& key = is_clustered ? item.cluster : item.id;
    table.clusters.push_back(numbers.try_emplace(key, numbers.size()).first->second);
  }
  for (const Pooled& row : rows) {
    ScoreColumn column{row.first->model, {}};
    for (std::size_t i = 0; i < items.size(); ++i)
      column.cells.push_back(row.counts[i] == 0 ? std::nullopt
                                                : std::optional(row.sums[i] / row.counts[i]));
    table.columns.push_back(std::move(column));
  }
  return table;
}

// Of the settings, those in which rows of the same model differ.
std::vector<std::string> name_rows(const std::vector<Pooled>& rows) {
  std::vector<std::string> names;
  for (const Pooled& row : rows) {
    std::string name = row.first->model;
    std::set<std::string> differing;
    for (const Pooled& other : rows) {
      if (other.first->model != row.first->model) continue;
      for (const auto& [setting, value] : other.first->settings.model) {
        const auto own = row.first->settings.model.find(setting);
        if (own == row.first->settings.model.end() || own->second != value)
          differing.insert(setting);
      }
      for (const auto& [setting, value] : row.first->settings.model)
        if (!other.first->settings.model.contains(setting)) differing.insert(setting);
    }
    for (const std::string& setting : differing) {
      const auto own = row.first->settings.model.find(setting);
      name += fmt::format(", {} {}", setting,
                          own == row.first->settings.model.end() ? "-" : shorten(own->second, 40));
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::map<std::string, double> mean_by_label(const std::vector<BoardItem>& items,
                                            const ScoreColumn& column) {
  std::map<std::string, std::pair<double, double>> sums;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!column.cells[i] || items[i].label.empty()) continue;
    auto& [sum, count] = sums[items[i].label];
    sum += *column.cells[i];
    count += 1;
  }
  std::map<std::string, double> means;
  for (const auto& [label, sum] : sums) means[label] = sum.first / sum.second;
  return means;
}

std::vector<std::string> list_labels(const std::vector<BoardItem>& items) {
  std::set<std::string> labels;
  for (const BoardItem& item : items)
    if (!item.label.empty()) labels.insert(item.label);
  if (labels.size() < 2 || labels.size() > kMostLabels) return {};
  return {labels.begin(), labels.end()};
}

double value_of(const BoardRow& row) {
  return row.mean ? row.mean->value : -HUGE_VAL;
}

// Orders rows, and the numbers in pairs with them.
void sort_rows(Board& board) {
  std::vector<std::size_t> order(board.rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater<>{},
                           [&](std::size_t i) { return value_of(board.rows[i]); });
  std::vector<std::size_t> place(order.size());
  std::vector<BoardRow> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(board.rows[order[i]]));
  }
  board.rows = std::move(sorted);
  for (BoardPair& pair : board.pairs) {
    pair.first = place[pair.first];
    pair.second = place[pair.second];
  }
}

void set_ranks(Board& board) {
  for (BoardRow& row : board.rows) {
    row.ranks = {1, board.rows.size()};
    row.rank = 1;
    for (const BoardRow& other : board.rows) row.rank += value_of(other) > value_of(row);
  }
  for (const BoardPair& pair : board.pairs) {
    if (!pair.is_claimed) continue;
    ++board.rows[pair.second].ranks.best;
    --board.rows[pair.first].ranks.worst;
  }
}

void add_notes(Board& board, const BoardOptions& options, std::size_t unscored) {
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  if (board.rows.size() == 1) board.notes.push_back({BoardNote::OneRow, 1});
  if (board.rows.size() > 1 && stats::smallest_sign_flip_p(board.clusters) > 1 - options.confidence)
    board.notes.push_back({BoardNote::TooFew, count(board.clusters)});
  std::size_t filled = 0;
  std::int64_t failed = 0;
  for (const BoardRow& row : board.rows) {
    filled += row.filled;
    failed += row.outcomes[core::Outcome::Failed];
  }
  if (filled > 0) board.notes.push_back({BoardNote::Filled, count(filled)});
  if (unscored > 0 && !board.scale && options.unscored == Unscored::Worst)
    board.notes.push_back({BoardNote::ScaleUnknown, count(unscored)});
  if (failed > 0) board.notes.push_back({BoardNote::Failed, failed});
}

std::optional<stats::Scale> find_scale(const std::vector<const BoardRun*>& runs) {
  bool only_outcomes = true;
  for (const BoardRun* run : runs) {
    if (run->scale) return run->scale;
    for (const BoardItem& item : run->items)
      only_outcomes = only_outcomes && (!item.score || *item.score == 0 || *item.score == 1);
  }
  return only_outcomes ? std::optional(stats::kUnitScale) : std::nullopt;
}

Result<Board> make_board(const std::vector<const BoardRun*>& runs, const BoardOptions& options) {
  const BoardRun& first = *runs.front();
  Board board;
  board.evaluation = first.evaluation;
  board.score = first.score;
  board.settings = first.settings.test;
  board.scale = find_scale(runs);
  board.confidence = options.confidence;
  board.unscored = board.scale ? options.unscored : Unscored::Drop;
  std::optional<double> worst;
  if (board.unscored == Unscored::Worst) worst = board.scale->low;
  const std::vector<Pooled> rows = pool_runs(runs, worst);
  const ScoreTable table = make_board_table(rows);
  board.items = table.rows();
  board.clusters = std::set(table.clusters.begin(), table.clusters.end()).size();
  board.is_clustered = table.cluster_column.has_value();
  board.labels = list_labels(first.items);
  const std::vector<std::string> names = name_rows(rows);
  const stats::IntervalOptions bounds{.scale = board.scale.value_or(stats::Scale{}),
                                      .confidence = 0.95};
  std::size_t unscored = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t alone[] = {i};
    const CompleteRows complete = complete_rows(table, alone);
    BoardRow row{.name = names[i],
                 .model = rows[i].first->model,
                 .settings = rows[i].first->settings.model,
                 .runs = rows[i].runs,
                 .mean = stats::score_mean(complete.values[0], complete.clusters, bounds),
                 .outcomes = rows[i].outcomes,
                 .filled = rows[i].filled.size(),
                 .ranks = {}};
    std::ranges::sort(row.runs);
    for (const core::Outcome outcome : core::kOutcomes)
      if (is_unscored(outcome)) unscored += static_cast<std::size_t>(row.outcomes[outcome]);
    if (!board.labels.empty()) row.by_label = mean_by_label(first.items, table.columns[i]);
    board.rows.push_back(std::move(row));
  }
  ASSIGN_OR_RETURN(Claims claims, make_claims(table, options));
  board.pairs = std::move(claims.pairs);
  board.method = std::move(claims.method);
  sort_rows(board);
  set_ranks(board);
  add_notes(board, options, unscored);
  return board;
}

// What tells each board from the others of its evaluation.
void set_apart(std::vector<Board>& boards, const std::vector<std::string>& asked) {
  for (std::size_t i = 0; i < boards.size(); ++i) {
    for (std::size_t k = 0; k < boards.size(); ++k) {
      if (i == k || boards[i].evaluation != boards[k].evaluation) continue;
      for (const auto& [name, value] : boards[i].settings) {
        const auto other = boards[k].settings.find(name);
        if (other == boards[k].settings.end() || other->second != value)
          boards[i].apart[name] = value;
      }
      for (const auto& [name, value] : boards[k].settings)
        if (!boards[i].settings.contains(name)) boards[i].apart[name] = "-";
      if (asked[i] != asked[k]) boards[i].apart["items"] = std::to_string(boards[i].items);
    }
  }
}

}  // namespace

Result<BoardRun> make_board_run(const RunItems& run, const std::optional<std::string>& score,
                                const std::optional<stats::Scale>& scale) {
  if (!run.run || run.run->model.empty())
    return fail(ErrorKind::Invalid, "{} has no model under test", printable(run.source));
  ASSIGN_OR_RETURN(const ItemTable table, make_item_table(run, score));
  BoardRun made;
  made.run = run.run->id;
  made.evaluation = run.run->command;
  made.model = run.run->model;
  made.score = score ? *score : find_main_score(run).value_or("");
  made.settings = list_plan_settings(run.run->plan);
  made.scale = scale;
  std::vector<std::size_t> order(run.items.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {},
                    [&](std::size_t i) -> const std::string& { return run.items[i].id; });
  std::vector<const core::ItemRecord*> sorted;
  for (const std::size_t i : order) {
    const core::ItemRecord& item = run.items[i];
    sorted.push_back(&item);
    made.items.push_back({item.id, item.cluster, item.label, table.outcomes[i],
                          table.scores.columns.front().cells[i], item.judges});
  }
  made.asked = hash_asked(sorted);
  return made;
}

Result<std::vector<Board>> make_boards(const std::vector<BoardRun>& runs,
                                       const BoardOptions& options) {
  RETURN_IF_ERROR(stats::check_confidence(options.confidence));
  std::map<BoardKey, std::vector<const BoardRun*>> groups;
  for (const BoardRun& run : runs) groups[key_of(run)].push_back(&run);
  std::vector<Board> boards;
  std::vector<std::string> asked;
  for (const auto& [key, group] : groups) {
    ASSIGN_OR_RETURN(Board board, make_board(group, options));
    boards.push_back(std::move(board));
    asked.push_back(group.front()->asked);
  }
  set_apart(boards, asked);
  std::ranges::stable_sort(boards, std::greater<>{},
                           [](const Board& board) { return board.rows.size(); });
  return boards;
}

std::string_view code_of(BoardNote note) {
  switch (note) {
    case BoardNote::Demo:
      return "demo";
    case BoardNote::OneRow:
      return "one_row";
    case BoardNote::TooFew:
      return "too_few";
    case BoardNote::Filled:
      return "filled";
    case BoardNote::ScaleUnknown:
      return "scale_unknown";
    case BoardNote::Failed:
      return "failed";
  }
  return "";
}

Json to_json(const Board& board) {
  Json rows = Json::array();
  for (const BoardRow& row : board.rows)
    rows.push_back({{"rank", row.rank},
                    {"ranks", {row.ranks.best, row.ranks.worst}},
                    {"name", row.name},
                    {"model", row.model},
                    {"settings", row.settings},
                    {"runs", row.runs},
                    {"mean", to_json(row.mean)},
                    {"outcomes", core::to_json(row.outcomes)},
                    {"filled", row.filled},
                    {"by_label", row.by_label}});
  Json pairs = Json::array();
  for (const BoardPair& pair : board.pairs)
    pairs.push_back({{"first", board.rows[pair.first].name},
                     {"second", board.rows[pair.second].name},
                     {"items", pair.items},
                     {"difference", pair.difference},
                     {"p_value", pair.p_value},
                     {"claimed", pair.is_claimed}});
  Json notes = Json::array();
  for (const NotedNumber& note : board.notes)
    notes.push_back({{"code", std::string(code_of(note.note))}, {"number", note.number}});
  return {{"evaluation", board.evaluation},
          {"score", board.score.empty() ? Json(nullptr) : Json(board.score)},
          {"settings", board.settings},
          {"apart", board.apart},
          {"scale", board.scale ? to_json(*board.scale) : Json(nullptr)},
          {"items", board.items},
          {"clusters", board.clusters},
          {"unscored", std::string(name_of(board.unscored))},
          {"confidence", board.confidence},
          {"method", board.method},
          {"rows", rows},
          {"pairs", pairs},
          {"notes", notes}};
}

}  // namespace personascope::report
