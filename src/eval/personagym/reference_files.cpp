#include "eval/personagym/reference_files.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "files/safe_name.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::personagym {
namespace {

namespace fs = std::filesystem;
constexpr const char* kIndex = "index.json";

Result<Json> load_object(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path));
  auto value = parse_json(text);
  if (!value || !value->is_object())
    return fail(ErrorKind::Invalid, "{} must contain a JSON object of tasks", printable(path));
  return std::move(*value);
}

// The index's own name is taken.
std::string make_stem(const std::string& persona) {
  return files::make_safe_name(persona + ".json" == kIndex ? persona + "/" : persona);
}

Result<Json> load_index(const std::string& folder) {
  auto index = load_object(folder + "/" + kIndex);
  if (!index && index.error().kind == ErrorKind::NotFound) return Json::object();
  return index;
}

std::string quote(const std::string& text) {
  return Json(make_utf8(text)).dump(-1, ' ', true);
}

// Python prints 4.0 where others print 4, and else the shortest digits that give the number again.
std::string render_python_number(double number) {
  return Json(number).dump();
}

}  // namespace

std::string find_file(const std::string& folder, const std::string& persona,
                      const std::string& ending) {
  std::string path = folder + "/" + make_stem(persona) + ending;
  // Others may have written names that we would not: without a slash they stay in the folder.
  const std::string verbatim = folder + "/" + persona + ending;
  std::error_code ignored;
  if (persona.find('/') == std::string::npos && persona + ending != kIndex &&
      !fs::exists(path, ignored) && fs::exists(verbatim, ignored))
    return verbatim;
  return path;
}

Result<QuestionsByTask> load_questions(const std::string& folder, const std::string& persona) {
  const std::string path = find_file(folder, persona, ".json");
  ASSIGN_OR_RETURN(const Json value, load_object(path));
  QuestionsByTask tasks;
  for (const auto& [task, list] : value.items()) {
    if (!list.is_array())
      return fail(ErrorKind::Invalid, "{}: \"{}\" must be a list of questions", printable(path),
                  printable(task));
    for (const Json& question : list) {
      if (!question.is_string() || trim(question.get_ref<const std::string&>()).empty())
        return fail(ErrorKind::Invalid, "{}: a question of \"{}\" is not text", printable(path),
                    printable(task));
      tasks[task].push_back(question);
    }
  }
  return tasks;
}

Result<PairsByTask> load_responses(const std::string& folder, const std::string& persona) {
  const std::string path = find_file(folder, persona, "_qa.json");
  ASSIGN_OR_RETURN(const Json value, load_object(path));
  PairsByTask tasks;
  for (const auto& [task, list] : value.items()) {
    if (!list.is_array())
      return fail(ErrorKind::Invalid, "{}: \"{}\" must be a list of pairs", printable(path),
                  printable(task));
    for (const Json& pair : list) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
        return fail(ErrorKind::Invalid, "{}: \"{}\" must contain pairs [question, answer]",
                    printable(path), printable(task));
      tasks[task].emplace_back(pair[0], pair[1]);
    }
  }
  return tasks;
}

Result<std::vector<std::string>> list_personas(const std::string& folder,
                                               const std::string& ending) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) return fail(ErrorKind::NotFound, "there is no folder {}", printable(folder));
  ASSIGN_OR_RETURN(const Json index, load_index(folder));
  std::vector<std::string> personas;
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name == kIndex || name.starts_with('.') || !name.ends_with(ending)) continue;
    if (ending == ".json" && name.ends_with("_qa.json")) continue;  // answers in the same folder
    const std::string stem = name.substr(0, name.size() - ending.size());
    personas.push_back(find_text(index, stem).value_or(stem));
  }
  std::ranges::sort(personas);
  return personas;
}

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return fail(ErrorKind::Invalid, "the folder {} cannot be created: {}", printable(folder),
                error.message());
  RETURN_IF_ERROR(load_index(folder));
  RETURN_IF_ERROR(files::NewFile::create(folder + "/" + kIndex));
  return {};
}

Result<void> ReferenceFile::add_to_index(const std::string& name, const std::string& persona) {
  ASSIGN_OR_RETURN(Json index, load_index(folder_));
  if (find_text(index, name) == persona) return {};
  index[name] = persona;
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(folder_ + "/" + kIndex));
  RETURN_IF_ERROR(file.write(render_pretty_json(index) + "\n"));
  return file.commit();
}

Result<void> ReferenceFile::write(const std::string& persona, const std::string& ending,
                                  const std::string& text) {
  RETURN_IF_ERROR(make_folder(folder_));
  const std::string name = make_stem(persona);
  if (name != persona) RETURN_IF_ERROR(add_to_index(name, persona));
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(folder_ + "/" + name + ending));
  RETURN_IF_ERROR(file.write(text));
  return file.commit();
}

std::string render_questions(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& tasks) {
  std::vector<std::string> members;
  for (const auto& [task, questions] : tasks) {
    std::vector<std::string> lines;
    for (const std::string& question : questions) lines.push_back("        " + quote(question));
    members.push_back(lines.empty()
                          ? fmt::format("    {}: []", quote(task))
                          : fmt::format("    {}: [\n{}\n    ]", quote(task), join(lines, ",\n")));
  }
  return members.empty() ? "{}" : "{\n" + join(members, ",\n") + "\n}";
}

std::string render_pairs(
    const std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>&
        tasks) {
  std::vector<std::string> members;
  for (const auto& [task, pairs] : tasks) {
    std::vector<std::string> lines;
    for (const auto& [question, answer] : pairs)
      lines.push_back(fmt::format("        [\n            {},\n            {}\n        ]",
                                  quote(question), quote(answer)));
    members.push_back(lines.empty()
                          ? fmt::format("    {}: []", quote(task))
                          : fmt::format("    {}: [\n{}\n    ]", quote(task), join(lines, ",\n")));
  }
  return members.empty() ? "{}" : "{\n" + join(members, ",\n") + "\n}";
}

std::string render_scores(const std::vector<std::pair<std::string, double>>& scores) {
  std::vector<std::string> members;
  for (const auto& [name, score] : scores)
    members.push_back(fmt::format("    {}: {}", quote(name), render_python_number(score)));
  return members.empty() ? "{}" : "{\n" + join(members, ",\n") + "\n}";
}

}  // namespace personascope::eval::personagym
