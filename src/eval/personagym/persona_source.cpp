#include "eval/personagym/persona_source.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.hpp"
#include "eval/personagym/question_list.hpp"
#include "files/line_reader.hpp"
#include "files/table_reader.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr const char* kTextNames[] = {"persona", "text", "description"};

std::string render_value(const Json& value) {
  return value.is_string() ? value.get<std::string>() : render_json(value);
}

// The persona of an object with attributes.
Result<Persona> read_object(const Json& object, const std::string& place) {
  Persona persona;
  if (const Json* id = find_member(object, "id")) persona.id = render_value(*id);
  for (const char* name : kTextNames) {
    const auto text = find_text(object, name);
    if (text && !trim(*text).empty()) persona.text = std::string(trim(*text));
    if (!persona.text.empty()) return persona;
  }
  std::vector<std::string> attributes;
  for (const auto& [name, value] : object.items()) {
    const std::string text = value.is_null() ? "" : render_value(value);
    if (name != "id" && !trim(text).empty()) attributes.push_back(name + ": " + text);
  }
  if (attributes.empty())
    return fail(ErrorKind::Invalid, "{}: there is no persona; give it as \"persona\"", place);
  persona.text = join(attributes, "; ");
  return persona;
}

// A list of texts and objects, alone or as "personas".
Result<std::vector<Persona>> read_persona_list(const Json& value, const std::string& path) {
  const Json* list = value.is_array() ? &value : find_member(value, "personas");
  if (!list || !list->is_array())
    return fail(ErrorKind::Invalid, "{} must contain a list of personas", printable(path));
  std::vector<Persona> personas;
  for (const Json& entry : *list) {
    if (entry.is_string()) {
      personas.push_back({"", std::string(trim(entry.get_ref<const std::string&>()))});
      continue;
    }
    const std::string place = fmt::format("{}, persona {}", printable(path), personas.size() + 1);
    if (!entry.is_object())
      return fail(ErrorKind::Invalid, "{}: a persona is a text or has attributes", place);
    ASSIGN_OR_RETURN(Persona persona, read_object(entry, place));
    personas.push_back(std::move(persona));
  }
  return personas;
}

Result<std::vector<Persona>> load_yaml_personas(const std::string& path) {
  ASSIGN_OR_RETURN(const Json value, files::load_yaml(path));
  return read_persona_list(value, path);
}

Result<std::vector<Persona>> load_table_personas(const std::string& path) {
  ASSIGN_OR_RETURN(auto reader, files::TableReader::open(path));
  std::vector<Persona> personas;
  std::vector<std::string> cells;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, reader.next(cells));
    if (!has_row) return personas;
    Json row = Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i) row[reader.columns()[i]] = cells[i];
    ASSIGN_OR_RETURN(Persona persona, read_object(row, reader.place()));
    personas.push_back(std::move(persona));
  }
}

Result<std::vector<Persona>> load_jsonl_personas(const std::string& path) {
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
  std::vector<Persona> personas;
  for (;;) {
    ASSIGN_OR_RETURN(const auto line, reader.next());
    if (!line) return personas;
    const std::string place = fmt::format("{}, line {}", printable(path), reader.line_number());
    const auto value = parse_json(*line);
    if (value && value->is_string()) {
      personas.push_back({"", std::string(trim(value->get_ref<const std::string&>()))});
      continue;
    }
    if (!value || !value->is_object())
      return fail(ErrorKind::Invalid, "{}: a line must be a JSON object with a \"persona\"", place);
    ASSIGN_OR_RETURN(Persona persona, read_object(*value, place));
    personas.push_back(std::move(persona));
  }
}

// One document, or an object a line.
Result<std::vector<Persona>> load_json_personas(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path));
  const auto value = parse_json(text);
  if (value && (value->is_array() || find_member(*value, "personas")))
    return read_persona_list(*value, path);
  return load_jsonl_personas(path);
}

Result<std::vector<Persona>> load_text_personas(const std::string& path) {
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
  std::vector<Persona> personas;
  for (;;) {
    ASSIGN_OR_RETURN(const auto line, reader.next());
    if (!line) return personas;
    if (line->find('\0') != std::string::npos)
      return fail(ErrorKind::Invalid,
                  "{}, line {}, is not text: a file of personas is a text file with a persona a "
                  "line, or has the ending .jsonl, .json, .yaml, .csv or .tsv",
                  printable(path), reader.line_number());
    if (!is_utf8(*line))
      return fail(ErrorKind::Invalid, "{}, line {}, is not in UTF-8: save it as text in UTF-8",
                  printable(path), reader.line_number());
    personas.push_back({"", std::string(trim(*line))});
  }
}

Result<std::vector<Persona>> load_by_ending(const std::string& path) {
  const std::string ending = lower(std::filesystem::path(path).extension().string());
  if (ending == ".yaml" || ending == ".yml") return load_yaml_personas(path);
  if (ending == ".csv" || ending == ".tsv") return load_table_personas(path);
  if (ending == ".json") return load_json_personas(path);
  if (ending == ".jsonl") return load_jsonl_personas(path);
  return load_text_personas(path);
}

}  // namespace

Result<std::vector<Persona>> load_persona_file(const std::string& path) {
  ASSIGN_OR_RETURN(auto personas, load_by_ending(path));
  if (personas.empty()) return fail(ErrorKind::Invalid, "{} has no personas", printable(path));
  std::set<std::string> ids;
  for (std::size_t i = 0; i < personas.size(); ++i) {
    Persona& persona = personas[i];
    if (persona.text.empty())
      return fail(ErrorKind::Invalid, "{}: persona {} is empty", printable(path), i + 1);
    if (!persona.id.empty() && !ids.insert(persona.id).second)
      return fail(ErrorKind::Invalid, "{}: the id {} is given twice", printable(path),
                  printable(persona.id));
  }
  return personas;
}

Result<std::vector<std::string>> parse_persona_list(const std::string& text) {
  auto list = parse_text_list(text, "personas");
  const auto is_empty = [](const std::string& persona) { return persona.empty(); };
  if (!list || list->empty() || std::ranges::any_of(*list, is_empty))
    return fail(ErrorKind::Invalid,
                "`persona_list` must be a list of texts: '[\"a nurse\", \"a sailor\"]'");
  return list;
}

}  // namespace personascope::eval::personagym
