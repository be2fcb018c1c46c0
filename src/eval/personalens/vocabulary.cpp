#include "eval/personalens/vocabulary.hpp"

#include <filesystem>

#include <algorithm>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/personalens/folder_users.hpp"
#include "eval/personalens/ordered_json.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::personalens {
namespace {

// Reads files of one folder, and remembers what it read.
class Reader {
 public:
  explicit Reader(std::string folder) : folder_(std::move(folder)) {}

  Result<std::string> load(const std::string& name) {
    ASSIGN_OR_RETURN(std::string text, files::load_text(path_of(name), 16u << 20));
    hash_.update(text);
    return text;
  }
  Result<Json> load_yaml(const char* name) {
    ASSIGN_OR_RETURN(const std::string text, load(name));
    return files::parse_yaml(text, path_of(name));
  }
  std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  std::string finish() { return render_hex(hash_.digest()); }

 private:
  std::string folder_;
  Sha256 hash_;
};

Result<std::vector<std::string>> need_list(const Json& value, const char* member,
                                           const std::string& path) {
  std::vector<std::string> texts;
  const Json* list = find_member(value, member);
  if (list && list->is_array())
    for (const Json& text : *list)
      if (text.is_string()) texts.push_back(text);
  if (texts.empty() || texts.size() != list->size())
    return fail(ErrorKind::Invalid, "{}: \"{}\" must be a list of texts", printable(path), member);
  return texts;
}

Result<void> load_demographics(Reader& reader, Vocabulary& vocabulary) {
  const std::string path = reader.path_of("demographics.yaml");
  ASSIGN_OR_RETURN(const Json value, reader.load_yaml("demographics.yaml"));
  ASSIGN_OR_RETURN(vocabulary.first_names, need_list(value, "first_names", path));
  ASSIGN_OR_RETURN(vocabulary.genders, need_list(value, "genders", path));
  ASSIGN_OR_RETURN(vocabulary.occupations, need_list(value, "occupations", path));
  ASSIGN_OR_RETURN(vocabulary.places, need_list(value, "places", path));
  ASSIGN_OR_RETURN(vocabulary.languages, need_list(value, "languages", path));
  ASSIGN_OR_RETURN(vocabulary.households, need_list(value, "household_types", path));
  ASSIGN_OR_RETURN(vocabulary.education, need_list(value, "education_levels", path));
  const Json* range = find_member(value, "age_range");
  if (!range || range->size() != 2 || !(*range)[0].is_number_integer() ||
      !(*range)[1].is_number_integer() || (*range)[0] > (*range)[1])
    return fail(ErrorKind::Invalid, "{}: \"age_range\" must be two ages", printable(path));
  vocabulary.youngest = (*range)[0];
  vocabulary.oldest = (*range)[1];
  return {};
}

std::vector<Sentence> read_sentences(const Json& list) {
  std::vector<Sentence> sentences;
  for (const Json& sentence : list)
    sentences.push_back(
        {find_text(sentence, "role").value_or("habit"), find_text(sentence, "text").value_or("")});
  return sentences;
}

bool lists(const Json* list, const std::string& text) {
  return list && std::ranges::find(*list, Json(text)) != list->end();
}

Result<void> load_domains(Reader& reader, Vocabulary& vocabulary) {
  ASSIGN_OR_RETURN(const Json affinities, reader.load_yaml("affinities.yaml"));
  ASSIGN_OR_RETURN(const Json summaries, reader.load_yaml("summaries.yaml"));
  const auto part = [&](const char* name, const std::string& domain) -> const Json* {
    const Json* all = find_member(summaries, name);
    return all ? find_member(*all, domain) : nullptr;
  };
  for (const auto& [name, attributes] : affinities.items()) {
    Domain domain;
    domain.name = name;
    const Json* spoken = part("domain_names", name);
    domain.spoken = spoken && spoken->is_string() ? spoken->get<std::string>() : lower(name);
    const Json* spoken_attributes = part("attribute_names", name);
    for (const auto& [attribute, described] : attributes.items()) {
      AffinityChoice choice;
      choice.name = replace_all(attribute, "_", " ");
      choice.spoken = spoken_attributes
                          ? find_text(*spoken_attributes, attribute).value_or(choice.name)
                          : choice.name;
      choice.is_list = find_text(described, "kind") == "list";
      choice.only_own = lists(part("domain_only", name), attribute);
      ASSIGN_OR_RETURN(choice.values, need_list(described, "values",
                                                reader.path_of("affinities.yaml") + ", " + name));
      domain.affinities.push_back(std::move(choice));
    }
    if (const Json* own = part("domains", name)) domain.sentences = read_sentences(*own);
    vocabulary.domains.push_back(std::move(domain));
  }
  if (const Json* patterns = find_member(summaries, "patterns"))
    vocabulary.sentences = read_sentences(*patterns);
  return {};
}

Result<void> load_situations(Reader& reader, Vocabulary& vocabulary) {
  const std::string path = reader.path_of("situations.yaml");
  ASSIGN_OR_RETURN(const Json value, reader.load_yaml("situations.yaml"));
  for (const auto& [side, values] : value.items()) {
    ASSIGN_OR_RETURN(auto list, need_list(value, side.c_str(), path));
    vocabulary.situations.emplace_back(replace_all(side, "_", " "), std::move(list));
  }
  return {};
}

Result<LensTask> parse_task(const Json& line, Span span, const std::string& place) {
  LensTask task;
  task.span = span;
  task.id = find_text(line, "id").value_or("");
  task.description = find_text(line, "description").value_or("");
  task.intent = find_text(line, "user_intent").value_or("");
  task.goal = find_text(line, "goal").value_or("");
  if (span == Span::Single) {
    task.domains.push_back(find_text(line, "domain").value_or(""));
    ASSIGN_OR_RETURN(task.affinity_types, need_list(line, "affinities", place));
  } else {
    ASSIGN_OR_RETURN(task.domains, need_list(line, "domains", place));
    const Json* affinities = find_member(line, "affinities");
    for (const std::string& domain : task.domains) {
      ASSIGN_OR_RETURN(const auto types,
                       need_list(affinities ? *affinities : Json::object(), domain.c_str(), place));
      task.affinity_types.insert(task.affinity_types.end(), types.begin(), types.end());
    }
  }
  for (std::string& type : task.affinity_types) type = replace_all(type, "_", " ");
  if (task.id.empty() || task.intent.empty() || task.goal.empty() || task.domains[0].empty())
    return fail(ErrorKind::Invalid, "{}: a task needs id, domain, user_intent and goal", place);
  return task;
}

Result<std::vector<LensTask>> load_task_lines(Reader& reader, const char* name, Span span) {
  ASSIGN_OR_RETURN(const std::string text, reader.load(name));
  std::vector<LensTask> tasks;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const std::string place = fmt::format("{}, line {}", printable(reader.path_of(name)), number);
    const auto value = parse_json(line);
    if (!value) return fail(ErrorKind::Invalid, "{}: {}", place, value.error().message);
    ASSIGN_OR_RETURN(LensTask task, parse_task(*value, span, place));
    tasks.push_back(std::move(task));
  }
  return tasks;
}

Result<void> load_ready_made(Reader& reader, Vocabulary& vocabulary) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(reader.path_of("users"), ignored)) {
    const std::string name = entry.path().filename().string();
    if (const auto number = find_user_number(name.substr(0, name.find('.')));
        number && name.ends_with(".json"))
      vocabulary.users.emplace(*number, "");
  }
  for (auto& [number, text] : vocabulary.users) {
    ASSIGN_OR_RETURN(text, reader.load(fmt::format("users/user{}.json", number)));
  }
  return {};
}

}  // namespace

Result<Vocabulary> load_vocabulary(const std::string& folder) {
  Reader reader(folder);
  Vocabulary vocabulary;
  RETURN_IF_ERROR(load_demographics(reader, vocabulary));
  RETURN_IF_ERROR(load_domains(reader, vocabulary));
  RETURN_IF_ERROR(load_situations(reader, vocabulary));
  ASSIGN_OR_RETURN(vocabulary.single, load_task_lines(reader, "tasks.jsonl", Span::Single));
  ASSIGN_OR_RETURN(vocabulary.multi, load_task_lines(reader, "tasks_multi.jsonl", Span::Multi));
  RETURN_IF_ERROR(load_ready_made(reader, vocabulary));
  vocabulary.sha256 = reader.finish();
  return vocabulary;
}

}  // namespace personascope::eval::personalens
