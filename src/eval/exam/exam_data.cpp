#include "eval/exam/exam_data.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "base/text.hpp"
#include "eval/persona_bench/bench_data.hpp"
#include "eval/personalens/drawn_users.hpp"
#include "eval/personalens/judging.hpp"
#include "files/line_reader.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::exam {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

Error no_such(const ExamItem& item, std::string_view what, std::string_view id) {
  return Error{ErrorKind::Invalid, fmt::format("the item {} of the exam names the {} {}, which is "
                                               "not in the program's data",
                                               item.id, what, printable(id))};
}

Result<std::string> find_in(const Texts& texts, const ExamItem& item, std::string_view what,
                            const std::string& id) {
  const auto found = texts.find(id);
  if (found == texts.end()) return std::unexpected(no_such(item, what, id));
  return found->second;
}

// The pack knows its questions by persona and task; items name them by id.
Result<Texts> load_gym_questions(const std::string& path) {
  Texts questions;
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
  for (;;) {
    ASSIGN_OR_RETURN(const auto line, reader.next());
    if (!line) return questions;
    const auto value = parse_json(*line);
    if (!value)
      return fail(ErrorKind::Invalid, "{}, line {}: {}", printable(path), reader.line_number(),
                  value.error().message);
    questions[find_text(*value, "id").value_or("")] = find_text(*value, "question").value_or("");
  }
}

// "[USER]: …" and "[ASSISTANT]: …" lines.
Result<personalens::Dialogue> parse_conversation(const ExamItem& item, std::string_view text) {
  personalens::Dialogue dialogue;
  for (const std::string_view line : split(text, '\n')) {
    constexpr std::string_view kUser = "[USER]: ";
    constexpr std::string_view kAssistant = "[ASSISTANT]: ";
    if (line.starts_with(kUser))
      dialogue.turns.push_back({core::Role::User, std::string(line.substr(kUser.size()))});
    else if (line.starts_with(kAssistant))
      dialogue.turns.push_back(
          {core::Role::Assistant, std::string(line.substr(kAssistant.size()))});
    else
      return fail(ErrorKind::Invalid,
                  "the item {} of the exam: a line begins neither with [USER]: nor with "
                  "[ASSISTANT]:",
                  item.id);
  }
  return dialogue;
}

// Everything that items name, by id.
struct Shelf {
  Texts gym_personas, gym_questions, bench_personas, bench_questions;
  std::map<std::string, const personagym::Probe*, std::less<>> probes;
  std::unique_ptr<personalens::UserSource> users;
  std::map<std::string, personalens::LensTask, std::less<>> tasks;
};

Result<void> fill_gym(const Shelf& shelf, ExamCase& one) {
  if (const auto probe = shelf.probes.find(one.item.question); probe != shelf.probes.end()) {
    one.request = probe->second->question;
    one.good = probe->second->good;
    one.bad = probe->second->bad;
  } else {
    ASSIGN_OR_RETURN(one.request,
                     find_in(shelf.gym_questions, one.item, "question", one.item.question));
  }
  ASSIGN_OR_RETURN(one.person, find_in(shelf.gym_personas, one.item, "persona", one.item.person));
  return {};
}

Result<void> fill_lens(const Shelf& shelf, const personalens::Words& words, ExamCase& one) {
  for (const personalens::Dimension& dimension : personalens::list_dimensions())
    if (dimension.rubric == one.item.dimension) one.dimension = &dimension;
  if (!one.dimension) return std::unexpected(no_such(one.item, "dimension", one.item.dimension));
  const auto task = shelf.tasks.find(one.item.task);
  if (task == shelf.tasks.end()) return std::unexpected(no_such(one.item, "task", one.item.task));
  constexpr std::string_view kReadyMade = "ps-";
  const auto number = one.item.person.starts_with(kReadyMade)
                          ? find_integer_in(std::string_view(one.item.person).substr(3))
                          : std::nullopt;
  if (!number) return std::unexpected(no_such(one.item, "user", one.item.person));
  ASSIGN_OR_RETURN(personalens::User user, shelf.users->load_user(static_cast<int>(*number)));
  personalens::Scenario scenario{std::move(user), task->second};
  scenario.task.situation = one.item.situation;
  ASSIGN_OR_RETURN(one.scene, personalens::make_texts(scenario));
  one.person = personalens::render_background(words, *one.dimension, *one.scene);
  for (const std::string& answer : one.item.answers) {
    ASSIGN_OR_RETURN(personalens::Dialogue dialogue, parse_conversation(one.item, answer));
    one.dialogues.push_back(std::move(dialogue));
  }
  return {};
}

Result<ExamCase> make_case(const Shelf& shelf, const ExamData& data, ExamItem item) {
  ExamCase one;
  one.item = std::move(item);
  if (one.item.kind == ExamKind::WhoSpeaks) {
    one.request = one.item.question;
    for (const std::string& id : one.item.candidates) {
      ASSIGN_OR_RETURN(std::string person, find_in(shelf.gym_personas, one.item, "persona", id));
      one.people.push_back(std::move(person));
    }
    return one;
  }
  if (one.item.evaluation == "gym") {
    RETURN_IF_ERROR(fill_gym(shelf, one));
  } else if (one.item.evaluation == "bench") {
    ASSIGN_OR_RETURN(one.person,
                     find_in(shelf.bench_personas, one.item, "persona", one.item.person));
    ASSIGN_OR_RETURN(one.request,
                     find_in(shelf.bench_questions, one.item, "question", one.item.question));
  } else if (one.item.evaluation == "lens") {
    RETURN_IF_ERROR(fill_lens(shelf, data.lens, one));
  }
  if (!find_exam_rubric(data, one.item))
    return std::unexpected(no_such(one.item, "dimension", one.item.place()));
  return one;
}

}  // namespace

const judge::Rubric* find_exam_rubric(const ExamData& data, const ExamItem& item) {
  if (item.evaluation == "bench") return item.dimension == "fit" ? &data.bench.direct : nullptr;
  if (item.evaluation == "lens") {
    const auto rubric = data.lens.rubrics.find(item.dimension);
    return rubric == data.lens.rubrics.end() ? nullptr : &rubric->second;
  }
  if (item.evaluation != "gym") return nullptr;
  if (item.dimension == "probe") return data.gym.probe_rubric ? &*data.gym.probe_rubric : nullptr;
  for (const personagym::GymTask& task : data.gym.tasks) {
    if (task.id == item.dimension) return &task.rubric;
    if (task.beside && task.beside->id == item.dimension) return &*task.beside;
  }
  return nullptr;
}

Result<ExamData> load_exam_data(const ExamFolders& folders) {
  ExamData data;
  Sha256 hash;
  Shelf shelf;
  ASSIGN_OR_RETURN(std::vector<ExamItem> items, load_exam_items(folders.exam, hash));
  ASSIGN_OR_RETURN(data.pair, judge::load_rubric(folders.exam + "/rubrics/pair.md"));
  ASSIGN_OR_RETURN(data.who, judge::load_rubric(folders.exam + "/rubrics/who-speaks.md"));
  ASSIGN_OR_RETURN(data.marks, files::load_yaml(folders.exam + "/licence.yaml"));

  ASSIGN_OR_RETURN(data.gym, personagym::load_pack(folders.gym, folders.gym));
  for (const personagym::Persona& persona : data.gym.personas)
    shelf.gym_personas[persona.id] = persona.text;
  for (const personagym::Probe& probe : data.gym.probes) shelf.probes[probe.id] = &probe;
  ASSIGN_OR_RETURN(shelf.gym_questions, load_gym_questions(folders.gym + "/questions.jsonl"));

  ASSIGN_OR_RETURN(data.bench, persona_bench::load_critic_words(
                                   folders.bench, {persona_bench::CriticKind::Single}));
  const std::string bench_personas = folders.bench + "/personas.jsonl";
  const std::string bench_questions = folders.bench + "/questions.jsonl";
  for (const std::string& path : {bench_personas, bench_questions}) {
    ASSIGN_OR_RETURN(const std::string text, files::load_text(path));
    hash.update(text);
  }
  ASSIGN_OR_RETURN(const auto users, persona_bench::load_personas(bench_personas));
  for (const persona_bench::Persona& user : users)
    shelf.bench_personas[user.id] = persona_bench::render_persona(user);
  ASSIGN_OR_RETURN(const auto questions, persona_bench::load_questions(bench_questions));
  for (const persona_bench::Question& question : questions)
    shelf.bench_questions[question.id] = question.text;

  ASSIGN_OR_RETURN(data.lens, personalens::load_words(folders.lens, folders.lens));
  ASSIGN_OR_RETURN(personalens::Vocabulary vocabulary, personalens::load_vocabulary(folders.lens));
  for (const personalens::LensTask& task : vocabulary.single) shelf.tasks[task.id] = task;
  const std::string vocabulary_sha256 = vocabulary.sha256;
  const int last = vocabulary.users.empty() ? 0 : vocabulary.users.rbegin()->first;
  shelf.users = personalens::make_drawn_users(std::move(vocabulary), 0, last + 1);

  for (ExamItem& item : items) {
    ASSIGN_OR_RETURN(ExamCase one, make_case(shelf, data, std::move(item)));
    data.cases.push_back(std::move(one));
  }
  for (const std::string& part :
       {data.pair.sha256, data.who.sha256, render_json(data.marks), data.gym.sha256,
        data.bench.single.sha256, data.bench.direct.sha256, data.lens.sha256, vocabulary_sha256})
    hash.update(part);
  data.sha256 = render_hex(hash.digest());
  return data;
}

}  // namespace personascope::eval::exam
