#include "eval/persona_bench/persona.hpp"

#include <algorithm>
#include <set>

#include "base/json.hpp"
#include "base/text.hpp"
#include "files/row_reader.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr const char* kWeightMember = "sampling_weight";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

const std::string* Persona::find(std::string_view attribute) const {
  for (const auto& [name, value] : attributes)
    if (name == attribute) return &value;
  return nullptr;
}

void sort_attributes(Persona& persona) {
  std::ranges::sort(persona.attributes, {}, [](const auto& entry) {
    return std::pair(std::ranges::find(kAttributes, entry.first) - kAttributes.begin(),
                     entry.first);
  });
}

std::string render_persona(const Persona& persona, const std::vector<std::string>& without) {
  std::string text;
  for (const auto& [name, value] : persona.attributes)
    if (std::ranges::find(without, name) == without.end())
      text += fmt::format("{}- {}: {}", text.empty() ? "" : "\n", name, value);
  return text;
}

std::string render_line(const Persona& persona) {
  std::string line = "{\"id\": " + render_json(persona.id);
  for (const auto& [name, value] : persona.attributes)
    line += fmt::format(", {}: {}", render_json(name), render_json(value));
  if (persona.weight != 1)
    line += fmt::format(", {}: {}", render_json(kWeightMember), render_json(persona.weight));
  return line + "}\n";
}

std::string escape_id(std::string_view id) {
  return replace_all(replace_all(replace_all(std::string(id), "%", "%25"), "/", "%2F"), "#", "%23");
}

Result<std::vector<Persona>> load_personas(const std::string& path) {
  ASSIGN_OR_RETURN(const auto reader, files::RowReader::open(path));
  std::vector<Persona> personas;
  std::set<std::string> ids;
  files::Row row;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, reader->next(row));
    if (!more) break;
    const auto fail_here = [&](std::string_view what) {
      return fail(ErrorKind::Invalid, "{}, {} {}: {}", printable(path), reader->unit(), row.number,
                  what);
    };
    if (!row.fault.empty()) return fail_here(row.fault);
    Persona persona;
    std::string weight;
    for (const auto& [name, cell] : row.cells) {
      // A value is one line of the prompt.
      const std::string value = replace_all(std::string(trim(cell)), "\n", " ");
      if (name == "id")
        persona.id = value;
      else if (name == kWeightMember)
        weight = value;
      else if (!value.empty())
        persona.attributes.emplace_back(name, value);
    }
    if (!weight.empty()) {
      const auto number = find_number_in(weight);
      if (!number || !(*number > 0)) return fail_here("sampling_weight must be a number above 0");
      persona.weight = *number;
    }
    if (persona.id.empty()) persona.id = fmt::format("u{}", personas.size() + 1);
    if (persona.attributes.empty()) return fail_here("the persona has no attributes");
    if (!ids.insert(persona.id).second)
      return fail_here(fmt::format("the id {} is used twice", printable(persona.id)));
    sort_attributes(persona);
    personas.push_back(std::move(persona));
  }
  if (personas.empty()) return fail(ErrorKind::Invalid, "{} has no personas", printable(path));
  return personas;
}

Result<std::string> find_attribute(const std::vector<Persona>& personas, std::string_view name) {
  std::set<std::string> known;
  for (const Persona& persona : personas)
    for (const auto& [attribute, value] : persona.attributes) known.insert(attribute);
  const std::string wanted = lower(trim(name));
  for (const std::string& attribute : known)
    if (lower(attribute) == wanted) return attribute;
  const auto near = near_matches(wanted, {known.begin(), known.end()});
  return fail(ErrorKind::Invalid, "no persona has the attribute \"{}\"{}",
              printable(shorten(name, 80)),
              near.empty() ? "" : fmt::format("; did you mean {}?", join(near, ", ")));
}

std::optional<double> find_first_number(std::string_view text) {
  const auto first = std::ranges::find_if(text, is_digit);
  if (first == text.end()) return std::nullopt;
  std::string digits;
  for (auto at = first; at != text.end(); ++at) {
    const bool followed = at + 1 != text.end() && is_digit(at[1]);
    if (is_digit(*at) || (*at == '.' && followed && digits.find('.') == std::string::npos))
      digits += *at;
    else if (*at != ',' || !followed)
      break;
  }
  return find_number_in(digits);
}

}  // namespace personascope::eval::persona_bench
