#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/text.hpp"
#include "eval/long_text.hpp"
#include "eval/personalens/lens.hpp"
#include "files/text_file.hpp"
#include "judge/summary.hpp"

namespace personascope::eval::personalens {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOddities = 20;
constexpr std::size_t kLargestIndex = 4u << 20;
// What a request holds, roughly, in tokens: for estimates.
constexpr std::int64_t kPromptTokens = 900;
constexpr std::int64_t kTurnTokens = 80;
constexpr std::int64_t kTypicalTurns = 6;

Result<void> save_report_file(const std::string& path, const std::string& text) {
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (failed)
    return fail(ErrorKind::Storage, "the folder of {} cannot be created: {}", printable(path),
                failed.message());
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(path));
  RETURN_IF_ERROR(file.write(text));
  return file.commit();
}

Result<void> remove_report_file(const std::string& path) {
  std::error_code failed;
  fs::remove(path, failed);
  if (!failed) return {};
  return fail(ErrorKind::Storage, "{}, of an older run, cannot be removed: {}", printable(path),
              failed.message());
}

Json list_names(const std::vector<UserFault>& faults) {
  Json names = Json::array();
  for (const UserFault fault : faults) names.push_back(name_of(fault));
  return names;
}

Json list_turns(const Dialogue& dialogue) {
  Json turns = Json::array();
  for (const core::Message& turn : dialogue.turns)
    turns.push_back({{"role", core::name_of(turn.role)}, {"content", turn.content}});
  return turns;
}

Json list_scores(const std::vector<DimensionScore>& scores) {
  Json value = Json::object();
  for (const DimensionScore& score : scores)
    if (core::is_scored(score.verdict)) value[score.dimension->key()] = score.verdict.score;
  return value;
}

Json list_verdicts(const std::vector<DimensionScore>& scores) {
  Json value = Json::object();
  for (const DimensionScore& score : scores) {
    Json& own = value[score.dimension->key()];
    own = core::to_json(score.verdict);
    own["judges"] = Json::array();
    for (const DimensionVerdict& verdict : score.by_judge)
      own["judges"].push_back(core::to_json(verdict.verdict));
  }
  return value;
}

}  // namespace

void Lens::keep_files(const Item& item) {
  if (plan_.tree.empty() || !plan_.keeps_files || file_fault_) return;
  // An older run's file must not pass for this one's, so what has no text is removed.
  const auto keep = [&](const std::string& path, const std::optional<std::string>& text) {
    Result<void> done = text ? save_report_file(path, *text) : remove_report_file(path);
    if (!done && !file_fault_) file_fault_ = std::move(done).error();
  };
  const int user = entries_[item.index].user;
  const std::string& task = task_ids_[entries_[item.index].task];
  const Knowledge& knowledge = knowledge_of(item);
  const std::string dialogue = dialogue_path(plan_, user, knowledge, task);
  if (plan_.converse && item.dialogue.fault) {
    keep(dialogue, std::nullopt);
  } else if (plan_.converse) {
    DialogueFile file;
    file.user = user;
    file.task_id = task;
    file.intent = item.scenario.task.intent;
    // The published program writes the assistant's name in both places.
    file.user_model =
        plan_.protocol == Protocol::Reference ? plan_.assistant_label : plan_.user_model;
    file.assistant_model =
        plan_.protocol == Protocol::Reference ? plan_.assistant_label : plan_.assistant;
    file.dialogue = item.dialogue;
    keep(dialogue, render_dialogue_file(file));
  }
  for (std::size_t i = 0; i < dimensions_.size(); ++i)
    for (std::size_t judge = 0; judge < plan_.judge_labels.size(); ++judge)
      keep(verdict_path(plan_, user, knowledge, dimensions_[i]->id, plan_.judge_labels[judge], task,
                        dimensions_[i]->suffix),
           i < item.scores.size() ? item.scores[i].by_judge[judge].file : std::nullopt);
}

// How the dialogue ended, by what its judges said of it.
core::Outcome Lens::outcome_of(const Item& item) const {
  const Dialogue& dialogue = item.dialogue;
  if (dialogue.fault) return dialogue.refused ? core::Outcome::Refused : core::Outcome::Failed;
  if (item.scores.empty()) return core::Outcome::Answered;
  const auto has = [&](core::VerdictKind kind) {
    return std::ranges::any_of(
        item.scores, [&](const DimensionScore& score) { return score.verdict.kind == kind; });
  };
  if (has(core::VerdictKind::Score)) return core::Outcome::Scored;
  // A verdict that cannot be read says nothing of the dialogue; a call that failed may be tried
  // again.
  const bool has_failed_call = std::ranges::any_of(item.scores, [](const DimensionScore& score) {
    return score.verdict.kind == core::VerdictKind::Failed &&
           score.verdict.fault.kind != ErrorKind::Unparsable;
  });
  return has_failed_call ? core::Outcome::Failed : core::Outcome::Abstained;
}

Json Lens::make_document(const Item& item) const {
  const Entry& entry = entries_[item.index];
  const LensTask& task = item.scenario.task;
  return {{"user", entry.user},
          {"task", task_ids_[entry.task]},
          {"context", render_letters(knowledge_of(item))},
          {"ending", name_of(item.dialogue.ending)},
          {"dialogue", list_turns(item.dialogue)},
          {"user_faults", list_names(item.faults)},
          {"verdicts", list_verdicts(item.scores)},
          {"by_judge", list_readings(item.scores)},
          {"intent", task.intent},
          {"goal", task.goal},
          {"demographics", item.texts.demographics},
          {"preferences", item.texts.affinities},
          {"past", item.texts.summary},
          {"situation", item.texts.situation}};
}

void Lens::take_in(ItemContext& context, Item item) {
  keep_files(item);
  const Entry& entry = entries_[item.index];
  const Dialogue& dialogue = item.dialogue;
  const bool failed = dialogue.fault.has_value();
  ItemRecord record;
  record.position = static_cast<std::int64_t>(item.index);
  record.id = item.id;
  record.cluster = fmt::format("user{}", entry.user);
  record.label = task_ids_[entry.task];
  record.outcome = outcome_of(item);
  record.scores = list_scores(item.scores);
  record.document = make_document(item);
  if (failed) {
    record.error = dialogue.fault;
  } else {
    verdicts_->take(entry.user, task_ids_[entry.task], knowledge_of(item),
                    record.document["by_judge"]);
    for (const DimensionScore& score : item.scores)
      if (record.outcome == core::Outcome::Failed &&
          score.verdict.kind == core::VerdictKind::Failed)
        record.error = score.verdict.fault;
  }
  for (const std::string& oddity : item.scenario.user.oddities) oddities_.insert(oddity);
  while (oddities_.size() > kMostOddities) oddities_.erase(std::prev(oddities_.end()));
  BookEntry page;
  page.user = entry.user;
  page.task = entry.task;
  page.task_id = task_ids_[entry.task];
  page.context = entry.context;
  page.ending = dialogue.ending;
  page.turns = dialogue.turns.size();
  page.failed = failed;
  page.faults = std::move(item.faults);
  page.scores = std::move(item.scores);
  book_->take(page);
  context.record(std::move(record));
}

std::vector<std::string> Lens::notes() const {
  LongestRequest longest("user");
  std::set<int> seen;
  for (const Entry& entry : entries_)
    if (seen.insert(entry.user).second)
      if (const auto user = users_->load_user(entry.user))
        longest.add(fmt::format("user{}", entry.user), tokens_of(render_user(*user).size()));
  return longest.describe();
}

std::vector<Forecast> Lens::forecast() const {
  std::vector<Forecast> list;
  const std::int64_t dialogues = items();
  const std::int64_t turns =
      std::min(kTypicalTurns, std::max(plan_.single_turns, plan_.multi_turns));
  const auto add = [&](const std::string& model, const char* role, std::int64_t calls,
                       std::int64_t input_each, std::int64_t output_each) {
    Forecast forecast;
    forecast.model = model;
    forecast.role = role;
    forecast.calls = calls;
    forecast.input_tokens = forecast.calls * input_each;
    forecast.max_output_tokens = forecast.calls * output_each;
    list.push_back(forecast);
  };
  const std::int64_t history = turns * kTurnTokens;
  if (plan_.converse) {
    add(plan_.user_model, "user", dialogues * turns, kPromptTokens + history, plan_.max_tokens);
    add(plan_.assistant, "assistant", dialogues * turns, kPromptTokens / 2 + history,
        plan_.max_tokens);
  }
  std::int64_t asks = 0;
  std::int64_t canaries = 0;
  for (const Dimension* dimension : dimensions_) {
    asks += dimension->scope == Scope::EachTurn ? turns : 1;
    if (DialogueJudges::takes_canaries(*dimension)) canaries += judge::kCanaryKinds;
  }
  const std::int64_t readings =
      plan_.judging.repeats * (plan_.judging.orders == judge::Orders::Both ? 2 : 1);
  for (const std::string& judge : plan_.judges) {
    if (asks == 0) continue;
    add(judge, "judge", dialogues * asks * readings, kPromptTokens + 2 * history,
        plan_.judging.max_tokens);
    if (!canary_items_.empty() && canaries > 0)
      add(judge, "judge of canaries", std::ssize(canary_items_) * canaries * readings,
          kPromptTokens + history, plan_.judging.max_tokens);
  }
  return list;
}

// Which model a folder with a hash in its name stands for: models.json beside the tree's folders.
Result<void> Lens::name_folders() const {
  Json names = Json::object();
  const auto add = [&](const std::string& label, const std::string& model) {
    if (!model.empty() && label != model) names[label] = model;
  };
  add(plan_.assistant_label, plan_.assistant);
  for (std::size_t i = 0; i < plan_.judges.size(); ++i) add(plan_.judge_labels[i], plan_.judges[i]);
  if (plan_.tree.empty() || !plan_.keeps_files || names.empty()) return {};
  const std::string path = plan_.tree + "/models.json";
  // What is no index of ours is replaced.
  if (const auto text = files::load_text(path, kLargestIndex))
    if (const auto known = parse_json(*text); known && known->is_object())
      for (const auto& [label, model] : known->items())
        if (!names.contains(label)) names[label] = model;
  return save_report_file(path, render_pretty_json(names) + "\n");
}

Result<Json> Lens::finish() {
  if (file_fault_) return std::unexpected(*file_fault_);
  RETURN_IF_ERROR(name_folders());
  Json results = book_->summarize();
  results["evaluation"] = "lens";
  results["gathered"] = summarize_groups(verdicts_->finish());
  results["protocol"] = name_of(plan_.protocol);
  results["model"] = plan_.assistant.empty() ? plan_.assistant_label : plan_.assistant;
  if (plan_.converse) results["user_model"] = plan_.user_model;
  results["judges"] = plan_.judges;
  std::set<int> users;
  std::set<std::uint32_t> tasks;
  for (const Entry& entry : entries_) {
    users.insert(entry.user);
    tasks.insert(entry.task);
  }
  results["users"] = users.size();
  results["tasks"] = tasks.size();
  results["contexts"] = Json::array();
  for (const Knowledge& knowledge : plan_.contexts)
    results["contexts"].push_back(render_letters(knowledge));
  if (!plan_.tree.empty() && plan_.keeps_files) results["output"] = plan_.tree;
  results["notes"] = Json::array();
  if (plan_.absent > 0)
    results["notes"].push_back(
        fmt::format("{} of the users that were named are not there", plan_.absent));
  for (const std::string& judge : plan_.judges)
    if (judge::is_tiny(judge)) results["notes"].push_back(judge::describe_tiny(judge));
  for (const std::string& sentence : book_->list_failures()) results["notes"].push_back(sentence);
  results["canaries"] = canaries_.summarize(plan_.judges);
  for (const std::string& sentence : canaries_.list_notes(plan_.judges))
    results["notes"].push_back(sentence);
  for (const std::string& oddity : oddities_) results["notes"].push_back(oddity);
  if (reader_) {
    results["lift"] = summarize_lift(lifts_);
    results["lift"]["reader"] = plan_.reader;
    results["lift"]["unread"] = unread_;
  }
  return results;
}

}  // namespace personascope::eval::personalens
