// What the gym has found, and the files it leaves.
#include <algorithm>

#include "base/text.hpp"
#include "eval/personagym/gym.hpp"
#include "eval/personagym/inputs.hpp"
#include "eval/personagym/published_tasks.hpp"
#include "files/text_file.hpp"
#include "judge/likelihood_summary.hpp"
#include "llm/estimate.hpp"

namespace personascope::eval::personagym {
namespace {

std::string_view name_of(Source source) {
  switch (source) {
    case Source::File:
      return "files";
    case Source::ReadyMade:
      return "ready-made";
    case Source::Written:
      break;
  }
  return "written";
}

}  // namespace

void Gym::keep_files(const Sheet& sheet) {
  if (sheet.epoch != 0 || (!questions_to_ && !responses_to_)) return;
  Folder& folder = folders_[sheet.persona];
  auto& pairs = folder.pairs[sheet.task];
  for (const Item& item : sheet.items) {
    folder.is_whole = folder.is_whole && !item.fault;
    pairs.emplace_back(item.question, item.answer);
  }
  if (++folder.sheets < tasks_.size()) return;
  const std::string& persona = plan_.personas[sheet.persona].text;
  std::vector<std::pair<std::string, std::vector<std::string>>> questions;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> responses;
  for (auto& [task, list] : folder.pairs) {
    questions.push_back({name_in_files(tasks_[task]), {}});
    for (const auto& [question, answer] : list) questions.back().second.push_back(question);
    responses.emplace_back(name_in_files(tasks_[task]), std::move(list));
  }
  const auto keep = [&](const Result<void>& written) {
    if (!written && !file_fault_) file_fault_ = written.error();
  };
  // A persona whose questions or answers are not whole leaves no file that looks as if they were.
  if (folder.is_whole && questions_to_)
    keep(questions_to_->write(persona, ".json", render_questions(questions)));
  if (folder.is_whole && responses_to_)
    keep(responses_to_->write(persona, "_qa.json", render_pairs(responses)));
  folders_.erase(sheet.persona);
}

Json Gym::describe_exam() const {
  Json value = {{"questions", Json::object()}};
  for (const Persona& persona : plan_.personas) {
    const std::string source(exam_ ? name_of(exam_->source_of(persona)) : "answers from files");
    value["questions"][source] = value["questions"].value(source, 0) + 1;
  }
  value["question_model"] = nullptr;
  if (exam_ && exam_->has_written()) value["question_model"] = plan_.question_model;
  value["example_model"] = nullptr;
  if (!plan_.example_model.empty()) value["example_model"] = plan_.example_model;
  return value;
}

Json Gym::describe_likelihood() const {
  judge::LikelihoodReadings readings;
  readings.reader = reader_->name();
  for (const Persona& persona : plan_.personas) readings.personas.push_back(persona.id);
  for (std::size_t i = 0; i < plan_.distractors.size(); ++i)
    readings.personas.push_back(fmt::format("distractor {}", i + 1));
  readings.answers = readings_;
  readings.control = control_;
  readings.content_free = content_free_;
  const auto summary = judge::summarize_readings(std::move(readings));
  if (!summary) return {{"reader", reader_->name()}, {"why_none", summary.error().message}};
  Json value = judge::to_json(*summary);
  value["unread"] = unread_;
  return value;
}

Result<Json> Gym::finish() {
  if (file_fault_) return std::unexpected(*file_fault_);
  // Answers are read sheet by sheet, so they may have changed under the run.
  if (!plan_.responses_from.empty()) RETURN_IF_ERROR(check_inputs(plan_));
  Json value = {{"evaluation", "gym"}};
  if (plan_.until == Stage::Grades && !plan_.judges.empty()) value.update(book_.summarize());
  if (!probed_.empty()) value["probes"] = probe_scores_.summarize();
  if (plan_.until == Stage::Grades && plan_.judges_beside)
    value["beside"] = beside_scores_.summarize();
  value["protocol"] = name_of(plan_.protocol);
  value["as_published"] = plan_.as_published;
  value["until"] = name_of(plan_.until);
  value["model"] = nullptr;  // of questions alone
  if (!plan_.model.empty() || !plan_.responses_from.empty())
    value["model"] = plan_.model.empty() ? "answers from files" : plan_.model;
  value["files"] = Json::array();
  for (const std::string& place : {plan_.questions_to, plan_.responses_to, plan_.scores_to})
    if (!place.empty()) value["files"].push_back(place);
  value["judges"] = plan_.judges;
  value["exam"] = describe_exam();
  value["pack"] = pack_.card;
  value["pack"]["sha256"] = pack_.sha256;
  if (!value.contains("notes")) value["notes"] = Json::array();
  if (with_examples_ < graded_ && !plan_.example_model.empty())
    value["notes"].push_back(
        fmt::format("{} wrote usable example answers for {} of {} graded items; the others were "
                    "graded without examples.",
                    plan_.example_model, with_examples_, graded_));
  std::vector<std::string> mixed;
  for (const std::string& file : pack_.borrowed)
    if (file.starts_with("reference/")) mixed.push_back(file);
  if (plan_.protocol == Protocol::Reference && !mixed.empty())
    value["notes"].push_back(
        fmt::format("The imported pack has no {}: our own texts are used instead, so the calls "
                    "differ from the published program's.",
                    join(mixed, ", ")));
  if (exam_ && exam_->has_written() && plan_.question_model == plan_.model)
    value["notes"].push_back(
        fmt::format("{} wrote its own questions: the model under test is also the question model.",
                    plan_.model));
  if (reader_) {
    value["likelihood"] = describe_likelihood();
    const bool tiny = std::ranges::any_of(
        plan_.judges, [](const std::string& judge) { return judge.starts_with("embedded/"); });
    if (tiny)
      value["notes"].push_back(
          "With a small judge, persona lift and identification are more informative than its "
          "scores: they are computed from likelihoods.");
  }
  if (!plan_.scores_to.empty()) {
    ASSIGN_OR_RETURN(auto file, files::NewFile::create(plan_.scores_to));
    RETURN_IF_ERROR(file.write(render_scores(book_.list_scores())));
    RETURN_IF_ERROR(file.commit());
  }
  return value;
}

// Lengths are guesses from runs of our own pack; the words of the prompts are counted.
std::vector<Forecast> Gym::forecast() const {
  constexpr std::int64_t kQuestionTokens = 60;
  constexpr std::int64_t kAnswerTokens = 300;
  const auto tokens_of = [](std::string_view text) {
    core::Request request;
    request.messages.push_back({core::Role::User, std::string(text)});
    return llm::estimate_size(request).input_tokens;
  };
  std::int64_t persona_tokens = 0;
  std::int64_t written = 0;
  for (const Persona& persona : plan_.personas) {
    persona_tokens += tokens_of(persona.text);
    if (exam_ && exam_->source_of(persona) == Source::Written) ++written;
  }
  persona_tokens /= std::max<std::int64_t>(1, std::ssize(plan_.personas));
  std::vector<Forecast> forecasts;
  const auto add = [&](const std::string& model, std::string_view role, std::int64_t calls,
                       std::int64_t input, std::int64_t output) {
    if (calls > 0)
      forecasts.push_back({model, std::string(role), calls, calls * input, calls * output});
  };
  const std::int64_t tasks = std::ssize(tasks_);
  const std::int64_t answers = sheet_items();
  const std::int64_t probes = probe_items();
  const std::int64_t question_list = kQuestionTokens * plan_.questions_per_task;
  add(plan_.question_model, "environments", written,
      persona_tokens + 25 * std::ssize(pack_.environments), 100);
  add(plan_.question_model, "questions", written * tasks,
      persona_tokens + 250 + tokens_of(pack_.prompts.write_questions), question_list);
  if (plan_.until == Stage::Questions) return forecasts;
  const std::int64_t asked =
      persona_tokens + tokens_of(pack_.prompts.persona_system) + kQuestionTokens;
  const std::int64_t controls = reader_ && model_ ? std::ssize(control_items_) : 0;
  if (model_) add(plan_.model, "answers", answers + probes + controls, asked, plan_.max_tokens);
  if (plan_.until == Stage::Answers) return forecasts;
  const std::int64_t rubric = tokens_of(render_json(Json(tasks_.front().rubric.asks))) + 700;
  if (plan_.protocol == Protocol::Reference) {
    const std::int64_t batches = (plan_.questions_per_task + 4) / 5;
    const std::int64_t sheets = std::ssize(plan_.personas) * tasks * plan_.epochs;
    const std::int64_t five = 5 * (rubric + persona_tokens + kQuestionTokens);
    add(plan_.example_model, "examples", plan_.example_model.empty() ? 0 : sheets * batches, five,
        3000);
    for (const std::string& judge : plan_.judges)
      add(judge, "grades", sheets * batches, five + 5 * kAnswerTokens, 3000);
  } else {
    add(plan_.example_model, "examples", plan_.example_model.empty() ? 0 : answers,
        rubric + persona_tokens, 500);
    const std::int64_t readings =
        plan_.judging.repeats * (plan_.judging.orders == judge::Orders::Both ? 2 : 1);
    const std::int64_t beside_tasks =
        std::ranges::count_if(grading_.beside, [](const auto& judges) { return !judges.empty(); });
    const std::int64_t beside = answers / tasks * beside_tasks;
    for (const std::string& judge : plan_.judges)
      add(judge, "grades", (answers + probes + beside + 4 * std::ssize(canary_items_)) * readings,
          rubric + persona_tokens + kQuestionTokens + kAnswerTokens, plan_.judging.max_tokens);
  }
  if (reader_) {
    const auto candidates = static_cast<std::int64_t>(candidates_.front().size());
    add(plan_.reader, "likelihoods", (std::ssize(read_items_) + 2 * controls) * (candidates + 1),
        asked + kAnswerTokens, 0);
  }
  return forecasts;
}

}  // namespace personascope::eval::personagym
