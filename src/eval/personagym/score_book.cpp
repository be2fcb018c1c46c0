#include "eval/personagym/score_book.hpp"

#include <algorithm>
#include <cmath>

#include "eval/personagym/reference_text.hpp"
#include "eval/personagym/side_scores.hpp"
#include "stats/score_mean.hpp"
#include "stats/sum.hpp"

namespace personascope::eval::personagym {
namespace {

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

// Whether each judge's scores carry a signal, which is known task by task: "the same" where several
// tasks say the same.
void add_signal_notes(Json& notes, const Json& tasks, const Json& task_order, std::size_t judges) {
  for (std::size_t judge = 0; judge < judges; ++judge)
    for (const bool has_signal : {true, false}) {
      std::string note;
      for (const Json& task : task_order) {
        const Json& own = tasks[task.get<std::string>()]["judges"][judge];
        const Json* calibrated = find_member(own, "prior_divided_out");
        const auto sentence = calibrated ? find_text(*calibrated, "sentence") : std::nullopt;
        if (!sentence || (*calibrated)["has_signal"] != has_signal) continue;
        if (note.empty())
          note = fmt::format("The judge {} on {}: {}", own["judge"].get<std::string>(),
                             task.get<std::string>(), *sentence);
        else
          note += fmt::format("; the same on {}", task.get<std::string>());
      }
      if (!note.empty()) notes.push_back(note + ".");
    }
}

// What a single judge gave each of five answers, as the published program would have read it.
Batch make_batch(const std::vector<judge::Tally::Item>& items, std::size_t begin,
                 std::size_t judges) {
  Batch batch;
  batch.scores.resize(judges);
  for (std::size_t i = begin; i < std::min(begin + kReferenceBatch, items.size()); ++i)
    for (const auto& [place, judgement] : items[i].judgements)
      batch.scores[place].push_back(core::is_scored(judgement.verdict) ? judgement.verdict.score
                                                                       : 0);
  return batch;
}

}  // namespace

ScoreBook::ScoreBook(const GymPlan& plan, const std::vector<GymTask>& tasks,
                     std::vector<std::string> judges)
    : plan_(plan), tasks_(tasks), judges_(std::move(judges)) {}

void ScoreBook::take(const Sheet& sheet) {
  Page& page = pages_[{sheet.persona, sheet.task, sheet.epoch}];
  page.batches = sheet.batches;
  for (const Item& item : sheet.items) {
    page.items.push_back(make_tally_item(plan_.personas[sheet.persona].id, item.answer_model,
                                         item.verdict, item.judgements));
  }
}

void ScoreBook::take_canary(std::size_t task, const std::string& canary, std::size_t judge,
                            const core::Verdict& verdict) {
  canaries_[task].push_back({canary, judge, without_text(verdict)});
}

judge::Tally ScoreBook::make_tally(std::optional<std::size_t> task) const {
  judge::Tally tally(tasks_[task.value_or(0)].rubric, judges_, plan_.rule);
  for (const auto& [key, page] : pages_)
    if (!task || std::get<1>(key) == *task)
      for (const judge::Tally::Item& item : page.items) tally.add(item);
  for (const auto& [place, verdicts] : canaries_)
    if (!task || place == *task)
      for (const CanaryVerdict& one : verdicts)
        tally.add_canary(task ? one.canary : fmt::format("{} ({})", one.canary, tasks_[place].name),
                         one.judge, one.verdict);
  return tally;
}

std::optional<double> ScoreBook::mean_of(std::size_t persona, std::size_t task) const {
  std::vector<double> scores;
  for (int epoch = 0; epoch < plan_.epochs; ++epoch)
    if (const auto page = pages_.find({persona, task, epoch}); page != pages_.end())
      for (const judge::Tally::Item& item : page->second.items)
        if (core::is_scored(item.verdict)) scores.push_back(item.verdict.score);
  if (scores.empty()) return std::nullopt;
  return stats::mean_of(scores);
}

std::optional<double> ScoreBook::reference_mean_of(std::size_t persona, std::size_t task) const {
  std::vector<double> scores;
  for (int epoch = 0; epoch < plan_.epochs; ++epoch) {
    const auto found = pages_.find({persona, task, epoch});
    if (found == pages_.end()) continue;
    const Page& page = found->second;
    if (plan_.protocol == Protocol::Reference) {
      for (const Batch& batch : page.batches)
        if (!batch.fault) scores.push_back(score_of(batch));
      continue;
    }
    for (std::size_t begin = 0; begin < page.items.size(); begin += kReferenceBatch)
      scores.push_back(score_of(make_batch(page.items, begin, judges_.size())));
  }
  if (scores.empty()) return std::nullopt;
  return plain_mean(scores);
}

std::optional<double> ScoreBook::reference_score_of(std::size_t persona) const {
  std::vector<double> scores;
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    const auto score = reference_mean_of(persona, task);
    if (!score) return std::nullopt;
    scores.push_back(*score);
  }
  return plain_mean(scores);
}

Json ScoreBook::describe_task(std::size_t task) const {
  Json value = describe_tally(make_tally(task));
  value["id"] = tasks_[task].id;
  value["group"] = tasks_[task].group;
  return value;
}

stats::Scale ScoreBook::scale() const {
  stats::Scale scale = tasks_.front().rubric.scale.bounds();
  for (const GymTask& task : tasks_) {
    scale.low = std::min(scale.low, task.rubric.scale.low());
    scale.high = std::max(scale.high, task.rubric.scale.high());
  }
  return scale;
}

Json ScoreBook::describe_persona_score() const {
  std::vector<double> scores;
  std::vector<std::size_t> clusters;
  Json personas = Json::array();
  for (std::size_t persona = 0; persona < plan_.personas.size(); ++persona) {
    std::vector<double> means;
    Json by_task = Json::object();
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      const auto mean = mean_of(persona, task);
      by_task[tasks_[task].name] = number_or_null(mean);
      if (mean) means.push_back(*mean);
    }
    // A persona with a task missing is not comparable with the others.
    std::optional<double> score;
    if (means.size() == tasks_.size()) score = stats::mean_of(means);
    if (score) {
      clusters.push_back(scores.size());
      scores.push_back(*score);
    }
    personas.push_back({{"id", plan_.personas[persona].id},
                        {"persona", plan_.personas[persona].text},
                        {"persona_score", number_or_null(score)},
                        {"tasks", by_task}});
  }
  Json value = {{"mean", nullptr},
                {"ci95", nullptr},
                {"sd", nullptr},
                {"clusters", scores.size()},
                {"personas_without_score", plan_.personas.size() - scores.size()}};
  const auto estimate = stats::score_mean(scores, clusters, {.scale = scale()});
  if (estimate) {
    const Json described = judge::to_json(*estimate);
    value["mean"] = estimate->value;
    value["ci95"] = described["interval"];
    value["method"] = estimate->method;
    value["caveats"] = described["caveats"];
  } else {
    value["why_no_mean"] = estimate.error().message;
  }
  if (scores.size() > 1) {
    const double mean = stats::mean_of(scores);
    double squares = 0;
    for (const double score : scores) squares += (score - mean) * (score - mean);
    value["sd"] = std::sqrt(squares / static_cast<double>(scores.size() - 1));
  }
  return {{"persona_score", value}, {"personas", personas}};
}

Json ScoreBook::describe_reference() const {
  Json personas = Json::array();
  std::vector<double> scores;
  std::map<std::string, std::vector<double>> by_task;
  for (std::size_t persona = 0; persona < plan_.personas.size(); ++persona) {
    const auto score = reference_score_of(persona);
    Json row = {{"persona", plan_.personas[persona].text},
                {"PersonaScore", number_or_null(score)},
                {"tasks", Json::object()}};
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      const auto mean = reference_mean_of(persona, task);
      row["tasks"][tasks_[task].name] = number_or_null(mean);
      if (mean) by_task[tasks_[task].name].push_back(*mean);
    }
    if (score) scores.push_back(*score);
    personas.push_back(std::move(row));
  }
  Json tasks = Json::object();
  for (const auto& [name, means] : by_task) tasks[name] = plain_mean(means);
  return {{"PersonaScore", scores.empty() ? Json(nullptr) : Json(plain_mean(scores))},
          {"tasks", tasks},
          {"personas", personas}};
}

Json ScoreBook::summarize() const {
  Json value = describe_persona_score();
  Json tasks = Json::object();
  Json order = Json::array();
  std::map<std::string, std::int64_t> outcomes{
      {"scored", 0}, {"cannot_assess", 0}, {"refused", 0}, {"failed", 0}, {"low_mass", 0}};
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    Json described = describe_task(task);
    for (auto& [name, count] : outcomes) count += described["outcomes"][name].get<std::int64_t>();
    tasks[tasks_[task].name] = std::move(described);
    order.push_back(tasks_[task].name);
  }
  const judge::Tally whole = make_tally(std::nullopt);
  Json notes = whole.list_notes();
  add_signal_notes(notes, tasks, order, judges_.size());
  value["tasks"] = std::move(tasks);
  if (Json canaries = whole.list_canaries(); !canaries.empty())
    value["canaries"] = std::move(canaries);
  value["scale"] = {scale().low, scale().high};
  value["task_order"] = std::move(order);
  value["outcomes"] = outcomes;
  value["notes"] = std::move(notes);
  value["reference"] = describe_reference();
  return value;
}

std::vector<std::pair<std::string, double>> ScoreBook::list_scores() const {
  const Json value = plan_.protocol == Protocol::Reference ? describe_reference() : summarize();
  std::vector<std::pair<std::string, double>> scores;
  const auto add = [&](const std::string& name, const Json* score) {
    if (score && score->is_number()) scores.emplace_back(name, score->get<double>());
  };
  for (const GymTask& task : tasks_) {
    const Json* entry = find_member(value["tasks"], task.name);
    if (entry) add(task.name, entry->is_number() ? entry : find_member(*entry, "mean"));
  }
  const Json* own = find_member(value, "persona_score");
  add("PersonaScore", own ? find_member(*own, "mean") : find_member(value, "PersonaScore"));
  return scores;
}

}  // namespace personascope::eval::personagym
