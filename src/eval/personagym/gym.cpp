#include "eval/personagym/gym.hpp"

#include <algorithm>

#include "base/all.hpp"
#include "base/text.hpp"
#include "eval/fill.hpp"
#include "eval/personagym/asking.hpp"
#include "eval/personagym/inputs.hpp"
#include "eval/personagym/item_line.hpp"
#include "eval/personagym/pack_version.hpp"
#include "eval/personagym/private_split.hpp"
#include "eval/personagym/refusal.hpp"
#include "judge/canary.hpp"

namespace personascope::eval::personagym {
namespace {

// PersonaScore is a mean over tasks, which says nothing unless they share their ends.
Result<void> check_scales(const std::vector<GymTask>& tasks) {
  const judge::Scale& first = tasks.front().rubric.scale;
  for (const GymTask& task : tasks) {
    const judge::Scale& scale = task.rubric.scale;
    if (scale.low() != first.low() || scale.high() != first.high())
      return fail(ErrorKind::Invalid,
                  "the task {} is scored from {} to {}, but {} from {} to {}, so their mean has no "
                  "meaning: give it the same scale, or run it alone with `tasks`",
                  printable(task.name), scale.low(), scale.high(), printable(tasks.front().name),
                  first.low(), first.high());
  }
  return {};
}

}  // namespace

Result<std::vector<GymTask>> choose_tasks(const GymPlan& plan, const Pack& pack) {
  std::vector<GymTask> all = pack.tasks;
  for (const std::string& file : plan.task_files) {
    ASSIGN_OR_RETURN(GymTask task, load_task(file));
    if (find_task(all, task.id) || find_task(all, task.name))
      return fail(ErrorKind::Invalid, "{}: the task {} exists already", printable(file),
                  printable(task.name));
    all.push_back(std::move(task));
  }
  if (plan.tasks.empty()) {
    RETURN_IF_ERROR(check_scales(all));
    return all;
  }
  std::vector<GymTask> chosen;
  for (const std::string& name : plan.tasks) {
    const GymTask* task = find_task(all, name);
    if (!task) {
      std::vector<std::string> names;
      for (const GymTask& known : all) names.push_back(known.id);
      return fail(ErrorKind::Invalid, "there is no task {}; there are {}", printable(name),
                  join(names, ", "));
    }
    if (find_task(chosen, task->id))
      return fail(ErrorKind::Invalid, "the task {} is named twice", printable(task->name));
    chosen.push_back(*task);
  }
  RETURN_IF_ERROR(check_scales(chosen));
  return chosen;
}

Gym::Gym(GymPlan plan, Pack pack, std::vector<GymTask> tasks)
    : plan_(std::move(plan)),
      pack_(std::move(pack)),
      tasks_(std::move(tasks)),
      grading_{plan_, pack_, {}, nullptr, {}, {}, {}},
      book_(plan_, tasks_, plan_.judges),
      probe_scores_(plan_.judges, plan_.rule),
      beside_scores_(plan_.judges, plan_.rule) {
  list_probed();
  const auto count = static_cast<std::size_t>(sheet_items());
  if (plan_.protocol == Protocol::Strict && plan_.until == Stage::Grades)
    canary_items_ =
        judge::choose_canary_items(count, static_cast<std::size_t>(plan_.canaries), plan_.seed);
  read_items_ =
      judge::choose_canary_items(count, static_cast<std::size_t>(plan_.readings), plan_.seed);
  for (const std::size_t place : judge::choose_canary_items(
           read_items_.size(), static_cast<std::size_t>(plan_.controls), plan_.seed))
    control_items_.push_back(read_items_[place]);
  if (!plan_.questions_to.empty()) questions_to_.emplace(plan_.questions_to);
  if (!plan_.responses_to.empty()) responses_to_.emplace(plan_.responses_to);
}

Result<std::unique_ptr<Gym>> Gym::create(GymPlan plan, const FindModel& find_model) {
  ASSIGN_OR_RETURN(Pack pack, load_pack_with_hash(plan.pack, plan.ours, plan.pack_sha256));
  if (!plan.pack_sha256.empty() && pack.sha256 != plan.pack_sha256)
    return fail(ErrorKind::Invalid,
                "the files in {} have changed since the run was started; start a new run "
                "(unchanged calls get their stored answers)",
                printable(plan.pack));
  RETURN_IF_ERROR(use_split(plan, pack));
  if (plan.personas.empty()) return fail(ErrorKind::Invalid, "there is no persona to evaluate");
  RETURN_IF_ERROR(check_inputs(plan));
  ASSIGN_OR_RETURN(auto tasks, choose_tasks(plan, pack));
  // The constructor is private, so make_unique cannot reach it.
  std::unique_ptr<Gym> gym(new Gym(std::move(plan), std::move(pack), std::move(tasks)));
  RETURN_IF_ERROR(gym->find_models(find_model));
  return gym;
}

Result<void> Gym::find_models(const FindModel& find_model) {
  if (plan_.protocol == Protocol::Reference)
    for (const GymTask& task : tasks_)
      if (!pack_.reference.rubrics.contains(task.id))
        return fail(ErrorKind::Invalid,
                    "the task {} has no rubric in the published form: use `protocol` strict",
                    printable(task.name));
  if (!plan_.question_model.empty()) {
    ASSIGN_OR_RETURN(writer_, find_model(plan_.question_model));
  }
  if (plan_.responses_from.empty()) {
    ASSIGN_OR_RETURN(exam_, Exam::create(plan_, pack_, tasks_, writer_));
    if (exam_->has_written() && !writer_)
      return fail(
          ErrorKind::Invalid,
          "some personas have no questions: name the model that writes them with `question_model`");
    if (plan_.until != Stage::Questions) {
      ASSIGN_OR_RETURN(model_, find_model(plan_.model));
    }
  } else {
    RETURN_IF_ERROR(check_responses());
  }
  if (plan_.until != Stage::Grades) return {};
  for (const std::string& name : plan_.judges) {
    ASSIGN_OR_RETURN(llm::Model * judge, find_model(name));
    grading_.models.push_back(judge);
  }
  if (!plan_.example_model.empty()) {
    ASSIGN_OR_RETURN(grading_.example_model, find_model(plan_.example_model));
  }
  if (plan_.protocol == Protocol::Strict) RETURN_IF_ERROR(make_judges());
  return make_reader(find_model);
}

Result<void> Gym::make_judges() {
  const auto make = [this](const judge::Rubric& rubric) -> Result<std::vector<judge::Judge>> {
    std::vector<judge::Judge> judges;
    for (llm::Model* model : grading_.models) {
      ASSIGN_OR_RETURN(judge::Judge judge, judge::Judge::create(*model, rubric, plan_.judging));
      judges.push_back(std::move(judge));
    }
    return judges;
  };
  for (const GymTask& task : tasks_) {
    ASSIGN_OR_RETURN(auto judges, make(task.rubric));
    grading_.judges.push_back(std::move(judges));
    grading_.beside.emplace_back();
    if (!task.beside || !plan_.judges_beside) continue;
    ASSIGN_OR_RETURN(grading_.beside.back(), make(*task.beside));
  }
  if (!probed_.empty()) {
    ASSIGN_OR_RETURN(grading_.probes, make(*pack_.probe_rubric));
  }
  return {};
}

Result<void> Gym::check_responses() const {
  for (const Persona& persona : plan_.personas) {
    ASSIGN_OR_RETURN(const PairsByTask given, load_responses(plan_.responses_from, persona.text));
    for (const GymTask& task : tasks_) {
      std::int64_t count = 0;
      for (const auto& [name, pairs] : given)
        if (find_task(tasks_, name) == &task) count = std::ssize(pairs);
      if (count < plan_.questions_per_task)
        return fail(ErrorKind::Invalid,
                    "the answers of \"{}\" have {} of task {}, not {}: ask for fewer with "
                    "`questions_per_task`",
                    printable(shorten(persona.text, 60)), count, printable(task.name),
                    plan_.questions_per_task);
    }
  }
  return {};
}

std::int64_t Gym::items() const {
  return sheet_items() + probe_items();
}

std::int64_t Gym::sheets() const {
  return std::ssize(plan_.personas) * std::ssize(tasks_) * plan_.epochs;
}

std::int64_t Gym::sheet_items() const {
  return sheets() * plan_.questions_per_task;
}

std::int64_t Gym::index_of(const Sheet& sheet, std::size_t item) const {
  const std::int64_t sheets = (static_cast<std::int64_t>(sheet.persona) * std::ssize(tasks_) +
                               static_cast<std::int64_t>(sheet.task)) *
                                  plan_.epochs +
                              sheet.epoch;
  return sheets * plan_.questions_per_task + static_cast<std::int64_t>(item);
}

std::int64_t Gym::pieces() const {
  return sheets() + std::ssize(probed_) * plan_.epochs;
}

Task<void> Gym::work(ItemContext& context, std::int64_t piece) {
  const auto place = static_cast<std::size_t>(piece);
  const auto epochs = static_cast<std::size_t>(plan_.epochs);
  if (piece >= sheets()) {
    const std::size_t beyond = place - static_cast<std::size_t>(sheets());
    return run_probes(context, beyond / epochs, static_cast<int>(beyond % epochs));
  }
  return run_sheet(context, place / epochs / tasks_.size(), place / epochs % tasks_.size(),
                   static_cast<int>(place % epochs));
}

Task<void> Gym::run_sheet(ItemContext& context, std::size_t persona, std::size_t task, int epoch) {
  Sheet sheet{.persona = persona, .task = task, .epoch = epoch, .items = {}, .batches = {}};
  for (std::int64_t i = 0; i < plan_.questions_per_task; ++i) {
    Item item;
    item.id = fmt::format("{}/{}/{}", plan_.personas[persona].id, tasks_[task].id, i + 1);
    if (epoch > 0) item.id += fmt::format("#{}", epoch + 1);
    sheet.items.push_back(std::move(item));
  }
  Result<void> done = co_await fill_questions(context, sheet);
  if (done && plan_.until != Stage::Questions) done = co_await fill_answers(context, sheet);
  if (done && plan_.until == Stage::Grades) done = co_await grade(context, sheet);
  if (!done) co_return;
  take_in(context, std::move(sheet));
}

Task<Result<void>> Gym::fill_questions(ItemContext& context, Sheet& sheet) const {
  const Persona& persona = plan_.personas[sheet.persona];
  const GymTask& task = tasks_[sheet.task];
  if (!plan_.responses_from.empty()) {
    const auto given = load_responses(plan_.responses_from, persona.text);
    for (std::size_t i = 0; i < sheet.items.size(); ++i) {
      Item& item = sheet.items[i];
      if (!given) item.fault = given.error();
      if (given)
        for (const auto& [name, pairs] : *given)
          if (find_task(tasks_, name) == &task && i < pairs.size())
            std::tie(item.question, item.answer) = pairs[i];
      item.answer_model = plan_.model;
      item.refused = declines_role(item.answer, persona.text);
    }
    co_return Result<void>{};
  }
  const auto questions = co_await exam_->find_questions(context.chain, persona, task);
  if (!questions && core::is_unfinished(questions.error()))
    co_return std::unexpected(questions.error());
  for (std::size_t i = 0; i < sheet.items.size(); ++i) {
    if (questions)
      sheet.items[i].question = (*questions)[i];
    else
      sheet.items[i].fault = questions.error();
  }
  co_return Result<void>{};
}

Task<Result<void>> Gym::fill_answers(ItemContext& context, Sheet& sheet) const {
  if (!plan_.responses_from.empty()) co_return Result<void>{};
  std::vector<Task<Result<void>>> answers;
  for (Item& item : sheet.items)
    if (!item.fault)
      answers.push_back(answer(context, plan_.personas[sheet.persona], item, sheet.epoch));
  co_return first_failure(co_await all(std::move(answers)));
}

Task<Result<void>> Gym::answer(ItemContext& context, const Persona& persona, Item& item,
                               int epoch) const {
  const bool reference = plan_.protocol == Protocol::Reference;
  const core::Sampling sampling =
      reference ? make_reference_sampling(model_->endpoint().model, plan_.temperature, plan_.top_p)
                : make_sampling(plan_);
  std::string system =
      reference ? fill_python(pack_.reference.persona_system, {{"persona", persona.text}})
                : fill(pack_.prompts.persona_system, {{"persona", persona.text}});
  if (plan_.no_persona_system) system.clear();
  core::Request request = make_question(std::move(system), item.question, sampling);
  llm::Draw draw = make_draw(item.id, epoch);
  const Result<core::Reply> reply =
      co_await context.chain.ask(*model_, std::move(request), std::move(draw));
  if (!reply) {
    if (core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    item.fault = reply.error();
    co_return Result<void>{};
  }
  item.answer = reply->text;
  item.answer_model = plan_.model;
  item.refused = core::is_refusal(*reply) || declines_role(reply->text, persona.text);
  co_return Result<void>{};
}

Task<Result<void>> Gym::grade(ItemContext& context, Sheet& sheet) {
  const Persona& persona = plan_.personas[sheet.persona];
  const GymTask& task = tasks_[sheet.task];
  if (!plan_.judges.empty()) {
    Result<void> graded;
    if (plan_.protocol == Protocol::Reference)
      graded = co_await grade_as_reference(context.chain, grading_, persona, task, sheet);
    else
      graded = co_await grade_strictly(context.chain, grading_, persona, task, sheet);
    if (!graded) co_return graded;
    CO_RETURN_IF_ERROR(co_await judge_canaries(context, sheet));
  }
  if (!reader_) co_return Result<void>{};
  co_return co_await read_likelihoods(context, sheet);
}

Task<Result<void>> Gym::judge_canaries(ItemContext& context, const Sheet& sheet) {
  for (std::size_t i = 0; i < sheet.items.size(); ++i) {
    const auto index = static_cast<std::size_t>(index_of(sheet, i));
    if (!std::ranges::binary_search(canary_items_, index)) continue;
    const Item& item = sheet.items[i];
    if (item.question.empty()) continue;  // it could not be written
    for (const judge::Canary& canary : judge::make_canaries(tasks_[sheet.task].rubric)) {
      const judge::Fields fields{{"persona", plan_.personas[sheet.persona].text},
                                 {"question", item.question},
                                 {"answer", canary.answer}};
      for (std::size_t judge = 0; judge < plan_.judges.size(); ++judge) {
        const std::string id = "canary/" + canary.name + "/" + item.id;
        const Result<judge::Judgement> judgement =
            co_await grading_.judges[sheet.task][judge].judge(context.chain, id, fields);
        if (!judgement) co_return std::unexpected(judgement.error());
        book_.take_canary(sheet.task, canary.name, judge, judgement->verdict);
      }
    }
  }
  co_return Result<void>{};
}

void Gym::take_in(ItemContext& context, Sheet sheet) {
  for (std::size_t i = 0; i < sheet.items.size(); ++i) {
    if (!sheet.items[i].judgements.empty()) ++graded_;
    if (!sheet.items[i].examples.empty()) ++with_examples_;
    const std::int64_t index = index_of(sheet, i);
    context.record(make_item_record(plan_, tasks_, sheet, i, index));
    const Item& item = sheet.items[i];
    const auto& beside = tasks_[sheet.task].beside;
    if (plan_.until == Stage::Grades && plan_.judges_beside && beside)
      beside_scores_.take(beside->name, *beside, index,
                          make_tally_item(plan_.personas[sheet.persona].id, item.answer_model,
                                          item.beside_verdict, item.beside));
  }
  keep_files(sheet);
  if (plan_.until == Stage::Grades) book_.take(sheet);
}

}  // namespace personascope::eval::personagym
