#include "eval/personagym/import_pack.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/json.hpp"
#include "base/text.hpp"
#include "eval/personagym/checkout.hpp"
#include "eval/personagym/published_scores.hpp"
#include "eval/personagym/published_tasks.hpp"
#include "eval/personagym/reference_words.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::string_view kQuestionFolder = "questions/benchmark-v1";
constexpr std::size_t kQuestionsPerTask = 10;

// Many findings of one kind in one line: "lists that ask a question twice (2): "a", "b"".
class Group {
 public:
  void add(std::string name) {
    if (++count_ <= kShown) shown_.push_back("\"" + shorten(printable(name), 80) + "\"");
  }
  void report(std::string_view what, std::vector<std::string>& lines) const {
    if (count_ == 0) return;
    lines.push_back(
        fmt::format("{} ({}): {}{}", what, count_, join(shown_, ", "),
                    count_ > kShown ? fmt::format(" and {} more", count_ - kShown) : ""));
  }

 private:
  static constexpr std::size_t kShown = 3;
  std::size_t count_ = 0;
  std::vector<std::string> shown_;
};

class Importer {
 public:
  Importer(const std::string& folder, std::string name)
      : checkout_(folder), name_(std::move(name)) {}

  Result<ImportedPack> read() {
    read_questions();
    read_personas();
    if (personas_.empty())
      return fail(ErrorKind::Invalid,
                  "this is not a copy of PersonaGym: neither {} nor code/personas.py has a "
                  "persona; name the folder of a copy of its repository",
                  kQuestionFolder);
    read_environments();
    read_reference_words(checkout_, pack_);
    read_published();
    write_personas();
    write_card();
    return std::move(pack_);
  }

 private:
  struct QuestionFile {
    std::string persona;
    std::map<std::string_view, std::vector<std::string>> questions;  // by task id
  };

  ImportFindings& findings() { return pack_.findings; }
  void miss(std::string sentence) { findings().missing.push_back(std::move(sentence)); }
  void wonder(std::string sentence) { findings().odd.push_back(std::move(sentence)); }

  void read_questions() {
    if (!checkout_.has(std::string(kQuestionFolder))) {
      miss(fmt::format("questions: {} does not exist", kQuestionFolder));
      return;
    }
    Group wrong_number, repeated;
    for (const std::string& entry : checkout_.list(std::string(kQuestionFolder))) {
      if (!entry.ends_with(".json")) continue;
      const auto value = checkout_.load_json(fmt::format("{}/{}", kQuestionFolder, entry));
      if (!value) {
        wonder(value.error().message);
        continue;
      }
      QuestionFile file{entry.substr(0, entry.size() - std::string_view(".json").size()), {}};
      if (!is_utf8(file.persona) || trim(file.persona).empty()) {
        wonder(fmt::format("{}/{}: its name is not a persona", kQuestionFolder, printable(entry)));
        continue;
      }
      for (const PublishedTask& task : kPublishedTasks) {
        std::vector<std::string>& list = file.questions[task.id];
        list = read_list(*value, task);
        if (list.size() != kQuestionsPerTask)
          wrong_number.add(fmt::format("{}, {}: {}", file.persona, task.name, list.size()));
        if (std::set<std::string>(list.begin(), list.end()).size() != list.size())
          repeated.add(fmt::format("{}, {}", file.persona, task.name));
      }
      for (const auto& [key, unused] : value->items())
        if (std::ranges::none_of(kPublishedTasks, [&](const PublishedTask& task) {
              return key == task.key || key == task.name;
            }))
          unknown_tasks_.add(key);
      question_files_.push_back(std::move(file));
    }
    wrong_number.report("lists with another number of questions than 10", findings().odd);
    repeated.report("lists that ask a question twice", findings().odd);
    bad_questions_.report("questions that are blank or not text, left out", findings().odd);
    unknown_tasks_.report("lists of no known task, left out", findings().odd);
  }

  std::vector<std::string> read_list(const Json& file, const PublishedTask& task) {
    std::vector<std::string> questions;
    const Json* list = find_member(file, task.key);
    if (!list) list = find_member(file, task.name);
    if (!list || !list->is_array()) return questions;
    for (const Json& question : *list) {
      if (question.is_string() && !trim(question.get_ref<const std::string&>()).empty())
        questions.push_back(question);
      else
        bad_questions_.add(render_json(question));
    }
    return questions;
  }

  // Those of the program's list in its order, then those that only have a file of questions.
  void read_personas() {
    std::set<std::string> with_file, listed;
    for (const QuestionFile& file : question_files_) with_file.insert(file.persona);
    Group without_file, unlisted, twice;
    if (const auto list = find_texts("code/personas.py", "benchmark_personas", "personas")) {
      for (const std::string& persona : *list) {
        if (!listed.insert(persona).second) {
          twice.add(persona);
          continue;
        }
        personas_.push_back(persona);
        if (!with_file.contains(persona)) without_file.add(persona);
      }
    }
    for (const std::string& persona : with_file) {
      if (listed.contains(persona)) continue;
      personas_.push_back(persona);
      if (!listed.empty()) unlisted.add(persona);
    }
    without_file.report("personas of code/personas.py without a file of questions",
                        findings().missing);
    unlisted.report("files of questions for a persona that is not in code/personas.py",
                    findings().odd);
    twice.report("personas that are in code/personas.py twice", findings().odd);
  }

  // A list of texts that Python source assigns; blank ones and what is no text are left out.
  std::optional<std::vector<std::string>> find_texts(const std::string& file,
                                                     std::string_view variable,
                                                     std::string_view what) {
    const auto literals = checkout_.load_literals(file, variable);
    if (!literals || !literals->front().value.is_array()) {
      miss(fmt::format("{}: {}", what,
                       literals ? fmt::format("{}, line {}: {} is not a list", file,
                                              literals->front().line, variable)
                                : literals.error().message));
      return std::nullopt;
    }
    std::vector<std::string> texts;
    Group bad;
    for (const Json& item : literals->front().value) {
      if (item.is_string() && !trim(item.get_ref<const std::string&>()).empty())
        texts.push_back(item);
      else
        bad.add(render_json(item));
    }
    bad.report(fmt::format("entries of {} that are blank or not text, left out", variable),
               findings().odd);
    return texts;
  }

  void read_environments() {
    const auto settings = find_texts("code/eval_tasks.py", "settings_list", "environments");
    if (!settings || settings->empty()) return;
    std::string& lines = pack_.files["environments.jsonl"];
    for (const std::string& setting : *settings)
      lines += render_json(
                   {{"id", fmt::format("e{:03}", ++findings().environments)}, {"name", setting}}) +
               "\n";
  }

  void read_published() {
    Json rows = Json::array();
    for (const std::string& folder : checkout_.list("evaluations")) {
      const std::string file = fmt::format("evaluations/{}/scores.json", folder);
      if (!checkout_.has(file)) continue;
      const auto scores = checkout_.load_json(file);
      if (!scores) {
        wonder(scores.error().message);
        continue;
      }
      const auto row = read_published_scores(folder, *scores);
      if (!row) {
        wonder(fmt::format("{}: {}", printable(file), row.error().message));
        continue;
      }
      for (const Json& note : row->at("notes"))
        wonder(fmt::format("{}: {}", printable(file), note.get<std::string>()));
      rows.push_back(*row);
    }
    findings().published = rows.size();
    if (rows.empty())
      return miss("published scores: no evaluations/*/scores.json that can be read");
    pack_.files["published.json"] = render_pretty_json(rows) + "\n";
  }

  void write_personas() {
    std::map<std::string_view, const QuestionFile*> by_persona;
    for (const QuestionFile& file : question_files_) by_persona[file.persona] = &file;
    std::string personas, questions;
    for (const std::string& persona : personas_) {
      const std::string id = fmt::format("p{:03}", ++findings().personas);
      personas += render_json({{"id", id}, {"persona", persona}}) + "\n";
      const auto file = by_persona.find(persona);
      if (file == by_persona.end()) continue;
      for (const PublishedTask& task : kPublishedTasks) {
        int number = 0;
        for (const std::string& question : file->second->questions.at(task.id)) {
          questions += render_json({{"id", fmt::format("{}-{}-{:02}", id, task.mark, ++number)},
                                    {"persona", id},
                                    {"task", task.id},
                                    {"question", question}}) +
                       "\n";
          ++findings().questions;
        }
      }
    }
    pack_.files["personas.jsonl"] = std::move(personas);
    if (!questions.empty()) pack_.files["questions.jsonl"] = std::move(questions);
  }

  // JSON's texts are YAML's.
  void write_card() {
    const auto licence = checkout_.load("LICENSE");
    const bool is_mit = licence && licence->find("MIT License") != std::string::npos;
    std::string yaml = fmt::format(
        "name: {}\nversion: 1\n"
        "source: PersonaGym (arXiv 2407.18416), imported from a user's own copy\n"
        "licence: {}\nlanguages: [en]\n",
        render_json(name_), is_mit ? "MIT" : "unknown, see the copy it was imported from");
    const auto add_list = [&](std::string_view key, const std::vector<std::string>& lines) {
      if (!lines.empty()) yaml += fmt::format("{}:\n", key);
      for (const std::string& line : lines) yaml += fmt::format("  - {}\n", render_json(line));
    };
    add_list("left_out", findings().missing);
    add_list("odd", findings().odd);
    pack_.files["pack.yaml"] = std::move(yaml);
  }

  Checkout checkout_;
  std::string name_;
  ImportedPack pack_;
  std::vector<QuestionFile> question_files_;
  std::vector<std::string> personas_;
  Group bad_questions_;
  Group unknown_tasks_;
};

}  // namespace

Result<ImportedPack> import_pack(const std::string& checkout, const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_directory(checkout, error))
    return fail(ErrorKind::NotFound, "{} is not a folder; name the folder of a copy of PersonaGym",
                printable(checkout));
  auto pack = Importer(checkout, name).read();
  if (!pack) return fail(pack.error().kind, "{}: {}", printable(checkout), pack.error().message);
  return pack;
}

}  // namespace personascope::eval::personagym
