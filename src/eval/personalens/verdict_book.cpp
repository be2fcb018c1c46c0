#include "eval/personalens/verdict_book.hpp"

#include <algorithm>

namespace personascope::eval::personalens {
namespace {

Json read_or_null(const std::optional<double>& score) {
  return score ? Json(*score) : Json(nullptr);
}

std::optional<double> number_in(const Json& list, std::size_t place) {
  if (place >= list.size() || !list[place].is_number()) return std::nullopt;
  return list[place].get<double>();
}

// What a judge said of a dimension, as an item stores it; null if it is not there.
const Json* find_verdict(const Json* verdicts, const Dimension& dimension, std::size_t judge) {
  const Json* own = verdicts ? find_member(*verdicts, dimension.key()) : nullptr;
  const Json* judges = own ? find_member(*own, "judges") : nullptr;
  return judges && judges->is_array() && judge < judges->size() ? &(*judges)[judge] : nullptr;
}

void add_reason(GatheredRow& row, const Dimension& dimension, const Json& verdict) {
  if (row.ours && !dimension.is_low(*row.ours)) return;
  row.cannot_assess =
      find_text(verdict, "verdict") == core::name_of(core::VerdictKind::CannotAssess);
  row.reason = reason_in(find_text(verdict, "text").value_or(""));
  const Json* error = find_member(verdict, "error");
  if (error && row.reason.empty()) row.reason = find_text(*error, "message").value_or("");
}

}  // namespace

Json list_readings(const std::vector<DimensionScore>& scores) {
  Json value = Json::object();
  for (const DimensionScore& score : scores) {
    if (score.dimension->scope == Scope::EachTurn) continue;  // it has no file either
    Json& judges = value[score.dimension->key()] = Json::array();
    for (const DimensionVerdict& one : score.by_judge) {
      std::optional<double> ours;
      if (core::is_scored(one.verdict)) ours = one.verdict.score;
      std::optional<double> published;
      if (score.dimension->is_published())
        published = read_as_published(*score.dimension, one.file.value_or(""));
      judges.push_back(Json::array({read_or_null(ours), read_or_null(published)}));
    }
  }
  return value;
}

Result<VerdictBook> VerdictBook::create(const GatherWishes& wishes, const LensPlan& plan) {
  VerdictBook book;
  book.wishes_ = wishes;
  book.assistant_label_ = plan.assistant_label;
  book.judge_labels_ = plan.judge_labels;
  const auto name = [&](const std::string& label, const std::string& model) {
    if (!model.empty() && label != model) book.models_[label] = model;
  };
  name(plan.assistant_label, plan.assistant);
  for (std::size_t i = 0; i < std::min(plan.judges.size(), plan.judge_labels.size()); ++i)
    name(plan.judge_labels[i], plan.judges[i]);
  ASSIGN_OR_RETURN(book.dimensions_, choose_dimensions(wishes.dimension, std::nullopt));
  std::erase_if(book.dimensions_, [&](const Dimension* dimension) {
    return dimension->scope == Scope::EachTurn ||
           (wishes.ending && dimension->suffix != *wishes.ending);
  });
  return book;
}

void VerdictBook::take(int user, const std::string& task, const Knowledge& knowledge,
                       const Json& readings, const Json* verdicts) {
  if (wishes_.users && !std::ranges::binary_search(*wishes_.users, user)) return;
  const std::string assistant = assistant_label_ + render_tag(knowledge);
  if (wishes_.assistant && assistant != *wishes_.assistant) return;
  for (const Dimension* dimension : dimensions_) {
    const Json* judges = find_member(readings, dimension->key());
    if (!judges || !judges->is_array()) continue;
    for (std::size_t i = 0; i < judges->size() && i < judge_labels_.size(); ++i) {
      if (wishes_.judge && judge_labels_[i] != *wishes_.judge) continue;
      GatheredRow row{static_cast<std::uint32_t>(user), 0, number_in((*judges)[i], 0),
                      number_in((*judges)[i], 1)};
      if (const Json* verdict = find_verdict(verdicts, *dimension, i))
        add_reason(row, *dimension, *verdict);
      groups_[{assistant, dimension, judge_labels_[i]}].push_back({task, std::move(row)});
    }
  }
}

Gathered VerdictBook::finish() const {
  Gathered all;
  all.models = models_;
  for (const auto& [key, readings] : groups_)
    for (const Reading& reading : readings) all.tasks.push_back(reading.task);
  std::ranges::sort(all.tasks);
  all.tasks.erase(std::unique(all.tasks.begin(), all.tasks.end()), all.tasks.end());
  for (const auto& [key, readings] : groups_) {
    GatheredGroup group{key.assistant,
                        std::string(key.dimension->id),
                        std::string(key.dimension->suffix),
                        key.judge,
                        {}};
    for (const Reading& reading : readings) {
      const auto place = std::ranges::lower_bound(all.tasks, reading.task) - all.tasks.begin();
      group.rows.push_back(reading.row);
      group.rows.back().task = static_cast<std::uint32_t>(place);
    }
    // The order in which dialogues ended must not show.
    std::ranges::sort(group.rows, {},
                      [](const GatheredRow& row) { return std::pair(row.user, row.task); });
    all.groups.push_back(std::move(group));
  }
  std::ranges::sort(all.groups, {}, [](const GatheredGroup& group) {
    return std::tie(group.assistant, group.dimension, group.suffix, group.judge);
  });
  return all;
}

Json summarize_groups(const Gathered& gathered) {
  Json list = Json::array();
  for (const GatheredGroup& group : gathered.groups) {
    Json one = describe_group(gathered, group);
    one.erase("unread_files");
    one.erase("unread_verdicts");
    one["low_rated"] = one["low_rated"]["count"];
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace personascope::eval::personalens
