#include "eval/personalens/lens.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/random.hpp"
#include "base/text.hpp"
#include "eval/personalens/drawn_users.hpp"
#include "eval/personalens/folder_users.hpp"
#include "eval/personalens/user_choice.hpp"
#include "files/text_file.hpp"
#include "judge/canary.hpp"

namespace personascope::eval::personalens {
namespace {

namespace fs = std::filesystem;

bool is_named(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool is_wanted(const LensPlan& plan, const LensTask& task) {
  if (!is_named(plan.tasks, task.id)) return false;
  return plan.domains.empty() || std::ranges::any_of(task.domains, [&](const std::string& domain) {
           return std::ranges::find(plan.domains, domain) != plan.domains.end();
         });
}

// `count` of the tasks, chosen by seed and user, in their order.
void choose_tasks(std::vector<LensTask>& tasks, std::size_t count, std::uint64_t seed, int user) {
  if (count == 0 || tasks.size() <= count) return;
  Random random(seed, "lens tasks", fmt::format("user{}", user));
  std::vector<std::size_t> places(tasks.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  for (std::size_t i = 0; i < count; ++i)
    std::swap(places[i], places[i + random.below(places.size() - i)]);
  places.resize(count);
  std::ranges::sort(places);
  std::vector<LensTask> chosen;
  for (const std::size_t place : places) chosen.push_back(std::move(tasks[place]));
  tasks = std::move(chosen);
}

}  // namespace

Result<LensContent> load_content(const LensPlan& plan) {
  LensContent content;
  ASSIGN_OR_RETURN(content.words, load_words(plan.words, plan.ours));
  content.sha256 = content.words.sha256;
  if (!plan.data.empty()) return content;
  ASSIGN_OR_RETURN(
      content.vocabulary,
      load_vocabulary(plan.ours, static_cast<int>(plan.data_version.value_or(kVocabularyVersion))));
  content.sha256 += content.vocabulary->sha256;
  return content;
}

Result<std::string> hash_users(const LensPlan& plan) {
  if (plan.data.empty()) return std::string();
  return hash_folder_users(plan.data, plan.users);
}

Lens::Lens(LensPlan plan, Words words) : plan_(std::move(plan)), words_(std::move(words)) {}

Result<std::unique_ptr<Lens>> Lens::create(LensPlan plan, const FindModel& find_model,
                                           const LensContent* loaded) {
  LensContent content;
  if (loaded) {
    content = *loaded;
  } else {
    ASSIGN_OR_RETURN(content, load_content(plan));
  }
  if (!plan.sha256.empty() && plan.sha256 != content.sha256)
    return fail(ErrorKind::Invalid,
                "the files in {} have changed since the run was started; start a new run "
                "(unchanged calls get their stored answers)",
                printable(plan.words));
  // The constructor is private, so make_unique cannot reach it.
  std::unique_ptr<Lens> lens(new Lens(std::move(plan), std::move(content.words)));
  if (content.vocabulary) {
    lens->users_ = make_drawn_users(std::move(*content.vocabulary), lens->plan_.seed, kUserCount);
  } else {
    ASSIGN_OR_RETURN(lens->users_, open_folder_users(lens->plan_.data));
  }
  RETURN_IF_ERROR(lens->list_entries());
  RETURN_IF_ERROR(lens->find_models(find_model));
  return lens;
}

Result<void> Lens::list_entries() {
  // Tasks that cannot be read are the outcome of one item, and the others go on.
  std::optional<Error> fault;
  std::int64_t unlisted = 0;
  const auto add_or_note = [&](int user, Span span) {
    const Result<void> added = add_user(user, span);
    if (added) return;
    if (!fault) fault = added.error();
    add_unlisted(user, span);
    ++unlisted;
  };
  for (const int user : plan_.users) {
    if (plan_.single) add_or_note(user, Span::Single);
    if (plan_.multi) add_or_note(user, Span::Multi);
    if (plan_.limit > 0 && std::ssize(entries_) >= plan_.limit) break;
  }
  if (plan_.limit > 0 && std::ssize(entries_) > plan_.limit)
    entries_.resize(static_cast<std::size_t>(plan_.limit));
  for (const std::string& domain : plan_.domains) {
    if (domains_.contains(domain)) continue;
    const auto near = near_matches(domain, {domains_.begin(), domains_.end()});
    if (!near.empty())
      return fail(ErrorKind::Invalid, "no task is of the domain {}: did you mean {}?",
                  printable(domain), printable(near.front()));
  }
  if (std::ssize(entries_) > unlisted) return {};
  if (fault) return std::unexpected(*fault);
  if (!plan_.converse)
    return fail(ErrorKind::NotFound,
                "there is no dialogue to evaluate: {} does not exist, nor do the files of the "
                "other users and tasks (check `tree`, `model`, and the contexts `demographics`, "
                "`past_interactions` and `situation`)",
                printable(dialogue_path(plan_, plan_.users.empty() ? 0 : plan_.users.front(),
                                        plan_.contexts.front(), "SD-Alarm-task-1")));
  return fail(ErrorKind::Invalid, "no user has such a task: check `users`, `domains` and `tasks`");
}

void Lens::add_unlisted(int user, Span span) {
  const char* file = span == Span::Single ? "tasks.json" : "tasks_md.json";
  Entry entry;
  entry.user = user;
  entry.span = span;
  entry.task = place_of(file);
  entries_.push_back(entry);
}

std::uint32_t Lens::place_of(const std::string& task) {
  const auto known = std::ranges::find(task_ids_, task);
  const auto place = static_cast<std::uint32_t>(known - task_ids_.begin());
  if (known == task_ids_.end()) task_ids_.push_back(task);
  return place;
}

Result<void> Lens::add_user(int user, Span span) {
  ASSIGN_OR_RETURN(std::vector<LensTask> tasks, users_->load_tasks(user, span));
  for (const LensTask& task : tasks) domains_.insert(task.domains.begin(), task.domains.end());
  std::erase_if(tasks, [&](const LensTask& task) { return !is_wanted(plan_, task); });
  if (plan_.converse)
    choose_tasks(tasks, static_cast<std::size_t>(plan_.tasks_per_user), plan_.seed, user);
  std::int64_t added = 0;
  for (const LensTask& task : tasks) {
    Entry entry;
    entry.user = user;
    entry.span = span;
    entry.task = place_of(task.id);
    bool found = false;
    for (std::size_t context = 0; context < plan_.contexts.size(); ++context) {
      entry.context = static_cast<std::uint32_t>(context);
      std::error_code ignored;
      if (!plan_.converse &&
          !fs::exists(dialogue_path(plan_, user, plan_.contexts[context], task.id), ignored))
        continue;
      entries_.push_back(entry);
      found = true;
    }
    if (found && ++added == plan_.tasks_per_user) break;  // 0 is never met
  }
  return {};
}

Result<void> Lens::find_models(const FindModel& find_model) {
  if (plan_.converse) {
    ASSIGN_OR_RETURN(assistant_, find_model(plan_.assistant));
    if (!assistant_->features().dialogue)
      return fail(
          ErrorKind::Unsupported,
          "{} cannot carry on a dialogue: its file has neither {{history}} nor {{messages}} "
          "nor {{session}}",
          printable(plan_.assistant));
    ASSIGN_OR_RETURN(user_, find_model(plan_.user_model));
  }
  for (const std::string& key : plan_.dimensions) {
    ASSIGN_OR_RETURN(const auto named, choose_dimensions(key, std::nullopt));
    dimensions_.insert(dimensions_.end(), named.begin(), named.end());
  }
  book_.emplace(plan_, dimensions_);
  ASSIGN_OR_RETURN(verdicts_, VerdictBook::create({}, plan_));
  if (!dimensions_.empty()) {
    std::vector<llm::Model*> models;
    for (const std::string& name : plan_.judges) {
      ASSIGN_OR_RETURN(llm::Model * model, find_model(name));
      models.push_back(model);
    }
    ASSIGN_OR_RETURN(judges_, DialogueJudges::create(plan_, words_, models, dimensions_));
    canary_items_ = judge::choose_canary_items(
        entries_.size(), static_cast<std::size_t>(plan_.canaries), plan_.seed);
  }
  if (plan_.reader.empty()) return {};
  ASSIGN_OR_RETURN(reader_, find_model(plan_.reader));
  if (!reader_->features().likelihood)
    return fail(ErrorKind::Unsupported,
                "{} cannot read how likely a text is: with `reader` name an embedded model, "
                "vllm/…, or none",
                printable(plan_.reader));
  read_items_ = judge::choose_canary_items(entries_.size(),
                                           static_cast<std::size_t>(plan_.readings), plan_.seed);
  return {};
}

const Knowledge& Lens::knowledge_of(const Item& item) const {
  return plan_.contexts[entries_[item.index].context];
}

std::int64_t Lens::max_turns(Span span) const {
  return span == Span::Single ? plan_.single_turns : plan_.multi_turns;
}

Task<void> Lens::work(ItemContext& context, std::int64_t piece) {
  const auto index = static_cast<std::size_t>(piece);
  Item item;
  item.index = index;
  const Entry& entry = entries_[index];
  item.id = fmt::format("user{}/{}", entry.user, task_ids_[entry.task]);
  if (const auto letters = render_letters(knowledge_of(item)); letters != "none")
    item.id += ":" + letters;
  if (const auto loaded = load_scenario(item); !loaded) {
    break_item(item, loaded.error());
  } else {
    Result<void> done = co_await hold_dialogue(context, item);
    if (done && !item.dialogue.fault) done = co_await judge_dialogue(context, item);
    if (done && !item.dialogue.fault) done = co_await judge_canaries(context, item);
    if (done && !item.dialogue.fault && reader_) done = co_await measure_lift(context, item);
    if (!done) co_return;
  }
  take_in(context, std::move(item));
}

void Lens::break_item(Item& item, Error fault) const {
  item.dialogue.ending = Ending::Broken;
  item.dialogue.fault = std::move(fault);
}

Result<void> Lens::load_scenario(Item& item) const {
  const Entry& entry = entries_[item.index];
  ASSIGN_OR_RETURN(item.scenario.user, users_->load_user(entry.user));
  ASSIGN_OR_RETURN(std::vector<LensTask> tasks, users_->load_tasks(entry.user, entry.span));
  const auto task = std::ranges::find(tasks, task_ids_[entry.task], &LensTask::id);
  if (task == tasks.end())
    return fail(ErrorKind::NotFound, "user{} no longer has the task {}", entry.user,
                task_ids_[entry.task]);
  item.scenario.task = std::move(*task);
  ASSIGN_OR_RETURN(item.texts, make_texts(item.scenario));
  return {};
}

Result<void> Lens::load_dialogue(Item& item) const {
  const std::string path =
      dialogue_path(plan_, item.scenario.user.number, knowledge_of(item), item.scenario.task.id);
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, 16u << 20));
  ASSIGN_OR_RETURN(DialogueFile file, parse_dialogue_file(text, path));
  item.dialogue = std::move(file.dialogue);
  return {};
}

Task<Result<void>> Lens::hold_dialogue(ItemContext& context, Item& item) const {
  if (plan_.converse) {
    const Conversing conversing{.words = words_,
                                .user = *user_,
                                .assistant = *assistant_,
                                .protocol = plan_.protocol,
                                .family = find_family(plan_.assistant),
                                .max_turns = max_turns(item.scenario.task.span),
                                .max_tokens = plan_.max_tokens,
                                .user_temperature = plan_.user_temperature,
                                .assistant_temperature = plan_.assistant_temperature};
    Result<Dialogue> dialogue = co_await converse(context.chain, conversing, item.scenario,
                                                  item.texts, knowledge_of(item), item.id, 0);
    if (!dialogue) co_return std::unexpected(std::move(dialogue).error());
    item.dialogue = std::move(*dialogue);
  } else if (const auto loaded = load_dialogue(item); !loaded) {
    break_item(item, loaded.error());
  }
  if (!item.dialogue.fault) item.faults = audit_user(item.scenario, item.dialogue);
  co_return Result<void>{};
}

Task<Result<void>> Lens::judge_dialogue(ItemContext& context, Item& item) const {
  if (!judges_) co_return Result<void>{};
  Result<std::vector<DimensionScore>> scores =
      co_await judges_->judge(context.chain, item.texts, item.dialogue, item.id);
  if (!scores) co_return std::unexpected(std::move(scores).error());
  item.scores = std::move(*scores);
  co_return Result<void>{};
}

Task<Result<void>> Lens::judge_canaries(ItemContext& context, const Item& item) {
  if (!std::ranges::binary_search(canary_items_, item.index)) co_return Result<void>{};
  Result<std::vector<CanaryScore>> scores =
      co_await judges_->judge_canaries(context.chain, item.texts, item.dialogue, item.id);
  if (!scores) co_return std::unexpected(std::move(scores).error());
  canaries_.take(item.index, *scores);
  co_return Result<void>{};
}

Task<Result<void>> Lens::measure_lift(ItemContext& context, Item& item) {
  if (!std::ranges::binary_search(read_items_, item.index)) co_return Result<void>{};
  // The next user's profile, in the same task: what the assistant would have known of another.
  const std::vector<int> all_users = users_->list_users();
  const auto own = std::ranges::find(all_users, item.scenario.user.number);
  const std::size_t place = static_cast<std::size_t>(own - all_users.begin());
  Scenario other_scenario;
  other_scenario.task = item.scenario.task;
  auto other_user = users_->load_user(all_users[(place + 1) % all_users.size()]);
  if (other_user) other_scenario.user = std::move(*other_user);
  const Result<ScenarioTexts> other = make_texts(other_scenario);
  if (!other_user || !other || all_users.size() < 2) {
    ++unread_;
    co_return Result<void>{};
  }
  Result<std::vector<TurnLift>> lifts = co_await read_lift(
      context.chain, *reader_, words_, item.scenario, item.texts, *other, item.dialogue, item.id);
  if (!lifts && core::is_unfinished(lifts.error())) co_return std::unexpected(lifts.error());
  if (!lifts) {
    ++unread_;
    co_return Result<void>{};
  }
  for (TurnLift& lift : *lifts) {
    lift.task = entries_[item.index].task;
    lifts_.push_back(lift);
  }
  co_return Result<void>{};
}

}  // namespace personascope::eval::personalens
