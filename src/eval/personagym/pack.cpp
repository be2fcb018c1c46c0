#include "eval/personagym/pack.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/personagym/pack_version.hpp"
#include "files/line_reader.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"
#include "judge/prompt.hpp"

namespace personascope::eval::personagym {
namespace {

namespace fs = std::filesystem;

// The order in which the published program asks and lists its tasks; others follow by file name.
constexpr std::string_view kTaskOrder[] = {"expected-action", "toxicity-control",
                                           "linguistic-habits", "persona-consistency",
                                           "action-justification"};

// Reads the files of a pack, from its own folder or else from ours, and remembers what it read.
class PackFiles {
 public:
  PackFiles(std::string folder, std::string ours)
      : folder_(std::move(folder)),
        ours_(std::move(ours)),
        is_ours_(folder_ == ours_ || is_version_folder(folder_, ours_)) {}

  std::string find(const std::string& name) {
    const std::string own = folder_ + "/" + name;
    if (fs::exists(own)) return own;
    if (!is_ours_) borrowed_.push_back(name);
    return ours_ + "/" + name;
  }
  std::vector<std::string> take_borrowed() { return std::move(borrowed_); }
  std::string own(const std::string& name) const { return folder_ + "/" + name; }

  Result<std::string> load(const std::string& path) {
    ASSIGN_OR_RETURN(std::string text, files::load_text(path, 64u << 20));
    add(text);
    return text;
  }

  Result<std::string> load_prompt(const std::string& name) {
    const std::string path = find("prompts/" + name);
    ASSIGN_OR_RETURN(const std::string text, load(path));
    ASSIGN_OR_RETURN(judge::HeadedText headed, judge::parse_headed_text(text, path));
    return std::string(trim(headed.body));
  }

  // Every line of a JSONL file, as an object with a place for errors.
  Result<void> each_line(
      const std::string& path,
      const std::function<Result<void>(const Json&, const std::string& place)>& take) {
    ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
    for (;;) {
      ASSIGN_OR_RETURN(const auto line, reader.next());
      if (!line) return {};
      add(*line);
      const std::string place = fmt::format("{}, line {}", printable(path), reader.line_number());
      const auto value = parse_json(*line);
      if (!value || !value->is_object())
        return fail(ErrorKind::Invalid, "{}: a line must be a JSON object", place);
      RETURN_IF_ERROR(take(*value, place));
    }
  }

  void add(std::string_view text) {
    hash_.update(text);
    hash_.update("\n");
  }
  std::string finish() { return render_hex(hash_.digest()); }

 private:
  std::string folder_;
  std::string ours_;
  bool is_ours_;  // an older version of ours takes what has not changed from the newer one
  std::vector<std::string> borrowed_;
  Sha256 hash_;
};

Result<std::string> need_text(const Json& value, const char* member, const std::string& place) {
  auto text = find_text(value, member);
  if (!text || trim(*text).empty())
    return fail(ErrorKind::Invalid, "{}: \"{}\" must be a text", place, member);
  return std::move(*text);
}

Result<void> load_personas(PackFiles& files, Pack& pack) {
  std::set<std::string> ids;
  return files.each_line(files.own("personas.jsonl"),
                         [&](const Json& line, const std::string& place) -> Result<void> {
                           Persona persona;
                           ASSIGN_OR_RETURN(persona.id, need_text(line, "id", place));
                           ASSIGN_OR_RETURN(persona.text, need_text(line, "persona", place));
                           persona.kind = find_text(line, "kind").value_or("");
                           if (!ids.insert(persona.id).second)
                             return fail(ErrorKind::Invalid, "{}: the id {} is used twice", place,
                                         printable(persona.id));
                           pack.personas.push_back(std::move(persona));
                           return {};
                         });
}

Result<void> load_environments(PackFiles& files, Pack& pack) {
  return files.each_line(files.find("environments.jsonl"),
                         [&](const Json& line, const std::string& place) -> Result<void> {
                           Environment environment;
                           ASSIGN_OR_RETURN(environment.id, need_text(line, "id", place));
                           ASSIGN_OR_RETURN(environment.name, need_text(line, "name", place));
                           environment.detail = find_text(line, "detail").value_or("");
                           pack.environments.push_back(std::move(environment));
                           return {};
                         });
}

Result<void> load_questions(PackFiles& files, Pack& pack) {
  const std::string path = files.own("questions.jsonl");
  if (!fs::exists(path)) return {};
  return files.each_line(path, [&](const Json& line, const std::string& place) -> Result<void> {
    ASSIGN_OR_RETURN(const std::string persona, need_text(line, "persona", place));
    ASSIGN_OR_RETURN(const std::string task, need_text(line, "task", place));
    ASSIGN_OR_RETURN(std::string question, need_text(line, "question", place));
    const GymTask* known = find_task(pack.tasks, task);
    if (!known) return fail(ErrorKind::Invalid, "{}: there is no task {}", place, printable(task));
    pack.questions[persona][known->id].push_back(std::move(question));
    return {};
  });
}

Result<void> load_probes(PackFiles& files, Pack& pack) {
  const std::string path = files.own("probes.jsonl");
  if (!fs::exists(path)) return {};
  ASSIGN_OR_RETURN(pack.probe_rubric, judge::load_rubric(files.find("beside/probe.yaml")));
  files.add(pack.probe_rubric->sha256);
  std::set<std::string> ids;
  return files.each_line(path, [&](const Json& line, const std::string& place) -> Result<void> {
    Probe probe;
    ASSIGN_OR_RETURN(probe.id, need_text(line, "id", place));
    ASSIGN_OR_RETURN(probe.persona, need_text(line, "persona", place));
    ASSIGN_OR_RETURN(probe.probe, need_text(line, "probe", place));
    ASSIGN_OR_RETURN(const std::string task, need_text(line, "task", place));
    ASSIGN_OR_RETURN(probe.question, need_text(line, "question", place));
    ASSIGN_OR_RETURN(probe.good, need_text(line, "good", place));
    ASSIGN_OR_RETURN(probe.bad, need_text(line, "bad", place));
    if (!ids.insert(probe.id).second)
      return fail(ErrorKind::Invalid, "{}: the id {} is used twice", place, printable(probe.id));
    if (std::ranges::find(pack.personas, probe.persona, &Persona::id) == pack.personas.end())
      return fail(ErrorKind::Invalid, "{}: there is no persona {}", place,
                  printable(probe.persona));
    const GymTask* known = find_task(pack.tasks, task);
    if (!known) return fail(ErrorKind::Invalid, "{}: there is no task {}", place, printable(task));
    probe.task = known->id;
    pack.probes.push_back(std::move(probe));
    return {};
  });
}

Result<void> load_tasks(PackFiles& files, Pack& pack) {
  std::vector<std::string> paths;
  std::error_code ignored;
  const std::string folder = files.find("tasks");
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  const auto rank = [](const std::string& path) {
    const std::string id = fs::path(path).stem().string();
    return std::pair(std::ranges::find(kTaskOrder, id) - std::begin(kTaskOrder), id);
  };
  std::ranges::sort(paths, {}, rank);
  if (paths.empty()) return fail(ErrorKind::Invalid, "{} has no task files", printable(folder));
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(GymTask task, load_task(path));
    files.add(task.rubric.sha256);
    for (const std::string& point : task.guidance) files.add(point);
    const fs::path beside = fs::path(folder).parent_path() / "beside" / (task.id + ".yaml");
    if (fs::exists(beside)) {
      ASSIGN_OR_RETURN(task.beside, judge::load_rubric(beside.string()));
      files.add(task.beside->sha256);
    }
    pack.tasks.push_back(std::move(task));
  }
  return {};
}

Result<void> load_prompts(PackFiles& files, GymPrompts& prompts) {
  ASSIGN_OR_RETURN(prompts.persona_system, files.load_prompt("persona-system.md"));
  ASSIGN_OR_RETURN(prompts.neutral_system, files.load_prompt("neutral-system.md"));
  ASSIGN_OR_RETURN(prompts.choose_environments, files.load_prompt("choose-environments.md"));
  ASSIGN_OR_RETURN(prompts.write_questions, files.load_prompt("write-questions.md"));
  ASSIGN_OR_RETURN(prompts.write_examples, files.load_prompt("write-examples.md"));
  return {};
}

Result<void> load_reference(PackFiles& files, Pack& pack) {
  ReferencePrompts& words = pack.reference;
  const auto load = [&](const std::string& name, std::string& text) -> Result<void> {
    ASSIGN_OR_RETURN(text, files.load(files.find("reference/" + name)));
    return {};
  };
  RETURN_IF_ERROR(load("persona-system.txt", words.persona_system));
  RETURN_IF_ERROR(load("choose-environments.txt", words.choose_environments));
  RETURN_IF_ERROR(load("write-questions.txt", words.write_questions));
  RETURN_IF_ERROR(load("examples-item.txt", words.examples_item));
  RETURN_IF_ERROR(load("examples.txt", words.examples));
  RETURN_IF_ERROR(load("grading.txt", words.grading));
  RETURN_IF_ERROR(load("grading-system.txt", words.grading_system));
  std::string descriptions;
  RETURN_IF_ERROR(load("descriptions.yaml", descriptions));
  ASSIGN_OR_RETURN(const Json table,
                   files::parse_yaml(descriptions, "reference/descriptions.yaml"));
  for (const GymTask& task : pack.tasks) {
    RETURN_IF_ERROR(load("rubrics/" + task.id + ".txt", words.rubrics[task.id]));
    words.descriptions[task.id] = find_text(table, task.id).value_or("");
  }
  return {};
}

}  // namespace

Result<Pack> load_pack(const std::string& folder, const std::string& ours) {
  if (!fs::is_directory(folder))
    return fail(ErrorKind::NotFound, "there is no folder {}", printable(folder));
  PackFiles files(folder, ours);
  Pack pack;
  ASSIGN_OR_RETURN(const std::string card, files.load(files.own("pack.yaml")));
  ASSIGN_OR_RETURN(pack.card, files::parse_yaml(card, files.own("pack.yaml")));
  RETURN_IF_ERROR(load_tasks(files, pack));
  RETURN_IF_ERROR(load_personas(files, pack));
  RETURN_IF_ERROR(load_environments(files, pack));
  RETURN_IF_ERROR(load_questions(files, pack));
  RETURN_IF_ERROR(load_probes(files, pack));
  RETURN_IF_ERROR(load_prompts(files, pack.prompts));
  RETURN_IF_ERROR(load_reference(files, pack));
  pack.borrowed = files.take_borrowed();
  pack.sha256 = files.finish();
  return pack;
}

Result<GymTask> load_task(const std::string& file) {
  GymTask task;
  ASSIGN_OR_RETURN(const Json value, files::load_yaml(file));
  ASSIGN_OR_RETURN(task.rubric, judge::load_rubric(file));
  task.id = find_text(value, "id").value_or(fs::path(file).stem().string());
  task.name = task.rubric.name;
  task.group = find_text(value, "group").value_or("");
  if (const Json* guidance = find_member(value, "question_guidance"); guidance)
    for (const Json& point : *guidance)
      if (point.is_string()) task.guidance.push_back(point);
  return task;
}

const QuestionLists* find_questions(const Pack& pack, std::string_view persona) {
  const auto known = std::ranges::find(pack.personas, persona, &Persona::text);
  if (known == pack.personas.end()) return nullptr;
  const auto lists = pack.questions.find(known->id);
  return lists == pack.questions.end() ? nullptr : &lists->second;
}

std::vector<const Probe*> list_probes(const Pack& pack, std::string_view persona) {
  std::vector<const Probe*> probes;
  const auto known = std::ranges::find(pack.personas, persona, &Persona::text);
  if (known == pack.personas.end()) return probes;
  for (const Probe& probe : pack.probes)
    if (probe.persona == known->id) probes.push_back(&probe);
  return probes;
}

const GymTask* find_task(const std::vector<GymTask>& tasks, std::string_view name) {
  std::string wanted = lower(name);
  if (wanted == "toxicity") wanted = "toxicity-control";  // as the published files have it
  for (const GymTask& task : tasks)
    if (lower(task.id) == wanted || lower(task.name) == wanted) return &task;
  return nullptr;
}

}  // namespace personascope::eval::personagym
