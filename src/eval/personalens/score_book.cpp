#include "eval/personalens/score_book.hpp"

#include <algorithm>

#include "judge/summary.hpp"

namespace personascope::eval::personalens {
namespace {

// The order in which dialogues ended must not show in the last digit.
std::vector<ScoreRow> sort_rows(std::vector<ScoreRow> rows) {
  std::ranges::sort(rows, {},
                    [](const ScoreRow& row) { return std::tuple(row.user, row.task, row.score); });
  return rows;
}

// What the judges together say of each turn.
std::vector<std::optional<double>> combine_turns(const std::vector<DimensionVerdict>& by_judge,
                                                 judge::PanelRule rule) {
  std::vector<std::optional<double>> turns;
  for (std::size_t turn = 0; turn < by_judge.front().turns.size(); ++turn) {
    std::vector<core::Verdict> verdicts;
    for (const DimensionVerdict& judge : by_judge)
      if (turn < judge.turns.size()) verdicts.push_back(judge.turns[turn]);
    const core::Verdict all = judge::combine_panel(verdicts, rule);
    turns.push_back(core::is_scored(all) ? std::optional(all.score) : std::nullopt);
  }
  return turns;
}

}  // namespace

void ScoreBook::take(const BookEntry& entry) {
  ++dialogues_;
  ++endings_[entry.ending];
  if (domain_by_task_.size() <= entry.task) domain_by_task_.resize(entry.task + 1);
  domain_by_task_[entry.task] = domain_of(entry.task_id);
  if (entry.failed)
    ++failed_;
  else
    messages_ += entry.turns;
  for (const UserFault fault : entry.faults) ++faults_[fault];
  flagged_ += entry.faults.empty() ? 0 : 1;
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    Row& row = rows_[i].emplace_back();
    row.user = static_cast<std::size_t>(entry.user);
    row.task = entry.task;
    row.context = entry.context;
    row.flagged = !entry.faults.empty();
    if (i >= entry.scores.size()) continue;
    const DimensionScore& score = entry.scores[i];
    row.kind = score.verdict.kind;
    row.score = score.verdict.score;
    count_failures(score);
    if (score.by_judge.empty()) continue;
    const DimensionVerdict& first = score.by_judge.front();
    if (score.dimension->is_published())
      row.published = read_as_published(*score.dimension, first.file.value_or(""));
    row.turns = combine_turns(score.by_judge, plan_.rule);
  }
}

void ScoreBook::count_failures(const DimensionScore& score) {
  judges_.resize(std::max(judges_.size(), score.by_judge.size()));
  for (std::size_t i = 0; i < score.by_judge.size(); ++i) {
    JudgeRecord& judge = judges_[i];
    const core::Verdict& verdict = score.by_judge[i].verdict;
    ++judge.asked;
    if (verdict.kind != core::VerdictKind::Failed) continue;
    if (judge.failed++ == 0 || verdict.fault.message < judge.reason)
      judge.reason = verdict.fault.message;
  }
}

std::vector<std::string> ScoreBook::list_failures() const {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < judges_.size(); ++i)
    if (judges_[i].failed > 0)
      sentences.push_back(judge::describe_failures(plan_.judges[i], judges_[i].failed,
                                                   judges_[i].asked, judges_[i].reason));
  return sentences;
}

std::vector<ScoreRow> ScoreBook::list_scored(std::size_t dimension, Which which,
                                             std::optional<std::size_t> context) const {
  std::vector<ScoreRow> scored;
  for (const Row& row : rows_[dimension])
    if (row.kind == core::VerdictKind::Score && (which == Which::All || !row.flagged) &&
        (!context || row.context == *context))
      scored.push_back({row.user, row.task, row.score});
  return sort_rows(std::move(scored));
}

Json ScoreBook::describe_outcomes(std::size_t dimension) const {
  std::map<std::string, std::size_t> counts{
      {"scored", 0}, {"cannot_assess", 0}, {"refused", 0}, {"failed", 0}, {"no_dialogue", 0}};
  for (const Row& row : rows_[dimension]) {
    if (!row.kind)
      ++counts["no_dialogue"];
    else if (*row.kind == core::VerdictKind::Score)
      ++counts["scored"];
    else
      ++counts[std::string(core::name_of(*row.kind))];
  }
  return counts;
}

Json ScoreBook::describe_contexts(std::size_t dimension, const ScoreScale& scale) const {
  Json value = Json::object();
  for (std::size_t context = 0; context < plan_.contexts.size(); ++context) {
    Json own = summarize_scores(list_scored(dimension, Which::All, context), scale);
    if (context > 0) {
      // Paired with the same user and task in the first context.
      std::map<std::pair<std::size_t, std::size_t>, double> first;
      for (const ScoreRow& row : list_scored(dimension, Which::All, 0))
        first[{row.user, row.task}] = row.score;
      std::vector<ScoreRow> differences;
      for (ScoreRow row : list_scored(dimension, Which::All, context))
        if (const auto before = first.find({row.user, row.task}); before != first.end()) {
          row.score -= before->second;
          differences.push_back(row);
        }
      own["against_first"] = summarize_differences(differences);
    }
    value[render_letters(plan_.contexts[context])] = std::move(own);
  }
  return value;
}

Json ScoreBook::describe_turns(std::size_t dimension) const {
  std::vector<std::vector<ScoreRow>> by_turn;
  for (const Row& row : rows_[dimension])
    for (std::size_t turn = 0; turn < row.turns.size(); ++turn) {
      if (by_turn.size() <= turn) by_turn.resize(turn + 1);
      if (row.turns[turn]) by_turn[turn].push_back({row.user, row.task, *row.turns[turn]});
    }
  Json list = Json::array();
  const ScoreScale scale{dimensions_[dimension]->low, dimensions_[dimension]->high};
  for (std::size_t turn = 0; turn < by_turn.size(); ++turn) {
    Json point = summarize_scores(sort_rows(std::move(by_turn[turn])), scale);
    point["turn"] = turn + 1;
    list.push_back(std::move(point));
  }
  return list;
}

Json ScoreBook::describe(std::size_t place) const {
  const Dimension& dimension = *dimensions_[place];
  const ScoreScale scale{dimension.low, dimension.high};
  const std::vector<ScoreRow> scored = list_scored(place, Which::All, std::nullopt);
  Json value = summarize_scores(scored, scale);
  value["dimension"] = dimension.id;
  if (!dimension.suffix.empty())
    value["side"] = dimension.side == Side::User ? "user" : "assistant";
  value["scale"] = {dimension.low, dimension.high};
  value["outcomes"] = describe_outcomes(place);
  value["by_domain"] = summarize_by_domain(scored, scale, domain_by_task_);
  value["without_flagged"] =
      summarize_scores(list_scored(place, Which::Unflagged, std::nullopt), scale);
  if (plan_.contexts.size() > 1) value["by_context"] = describe_contexts(place, scale);
  if (dimension.scope == Scope::EachTurn) value["by_turn"] = describe_turns(place);
  if (dimension.is_published()) {
    std::vector<ScoreRow> published;
    for (const Row& row : rows_[place])
      if (row.published) published.push_back({row.user, row.task, *row.published});
    const Json summary = summarize_scores(sort_rows(std::move(published)), scale);
    const char* mean = scale.is_rate() ? "rate" : "mean";
    value["reference"] = {{"count", summary["count"]}, {mean, summary[mean]}};
  }
  return value;
}

Json ScoreBook::summarize() const {
  Json endings = {{"held", dialogues_}, {"failed", failed_}};
  for (const auto& [ending, count] : endings_) endings[std::string(name_of(ending))] = count;
  if (dialogues_ > failed_)
    endings["mean_messages"] =
        static_cast<double>(messages_) / static_cast<double>(dialogues_ - failed_);
  Json faults = Json::object();
  for (const UserFault fault : list_user_faults()) {
    const auto known = faults_.find(fault);
    faults[std::string(name_of(fault))] = known == faults_.end() ? 0 : known->second;
  }
  Json value = {{"dialogues", endings},
                {"audit", {{"flagged", flagged_}, {"of", dialogues_}, {"faults", faults}}},
                {"dimension_order", Json::array()},
                {"dimensions", Json::object()}};
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    value["dimension_order"].push_back(dimensions_[i]->key());
    value["dimensions"][dimensions_[i]->key()] = describe(i);
  }
  return value;
}

}  // namespace personascope::eval::personalens
