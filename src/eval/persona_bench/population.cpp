#include "eval/persona_bench/population.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"

namespace personascope::eval::persona_bench {
namespace {

std::string render(const Condition& condition) {
  if (condition.range)
    return fmt::format("{} {:g}-{:g}", condition.attribute, condition.range->first,
                       condition.range->second);
  return fmt::format("{}={}", condition.attribute, join(condition.values, "|"));
}

std::string make_name(const std::vector<Condition>& conditions) {
  std::vector<std::string> parts;
  for (const Condition& condition : conditions) parts.push_back(render(condition));
  return join(parts, " & ");
}

Result<Condition> parse_part(std::string_view part, std::string_view whole,
                             const std::vector<Persona>& personas) {
  Condition condition;
  const std::size_t equals = part.find('=');
  if (equals != std::string_view::npos) {
    ASSIGN_OR_RETURN(condition.attribute, find_attribute(personas, part.substr(0, equals)));
    const std::string_view wanted = trim(part.substr(equals + 1));
    condition.range = find_range(wanted);
    if (!condition.range)
      for (const std::string_view value : split(wanted, '|')) {
        if (trim(value).empty())
          return fail(ErrorKind::Invalid, "\"{}\" names no value for {}", printable(whole),
                      printable(condition.attribute));
        condition.values.emplace_back(trim(value));
      }
    return condition;
  }
  const std::size_t blank = part.rfind(' ');
  if (blank != std::string_view::npos) condition.range = find_range(part.substr(blank + 1));
  if (!condition.range)
    return fail(ErrorKind::Invalid,
                "\"{}\" is no condition; write `attribute=value`, `attribute=one|another` or "
                "`attribute 18-34`, joined by &",
                printable(shorten(part, 80)));
  ASSIGN_OR_RETURN(condition.attribute, find_attribute(personas, part.substr(0, blank)));
  return condition;
}

// The personas' values of one attribute, each different one once.
struct Column {
  std::vector<std::string> values;
  std::vector<std::size_t> of_persona;  // a place in `values`; their number where there is none
};

Column make_column(const std::string& attribute, const std::vector<Persona>& personas) {
  Column column;
  std::map<std::string, std::size_t> places;
  std::vector<std::size_t> missing;
  for (const Persona& persona : personas) {
    const std::string* value = persona.find(attribute);
    if (!value) missing.push_back(column.of_persona.size());
    const std::size_t next = places.size();
    column.of_persona.push_back(value ? places.try_emplace(*value, next).first->second : 0);
  }
  column.values.resize(places.size());
  for (const auto& [value, place] : places) column.values[place] = value;
  for (const std::size_t place : missing) column.of_persona[place] = places.size();
  return column;
}

}  // namespace

Result<Population> parse_expression(std::string_view text, const std::vector<Persona>& personas) {
  Population population;
  for (const std::string_view part : split(text, '&')) {
    if (trim(part).empty())
      return fail(ErrorKind::Invalid, "the population \"{}\" has an empty condition",
                  printable(shorten(text, 80)));
    ASSIGN_OR_RETURN(Condition condition, parse_part(trim(part), text, personas));
    population.conditions.push_back(std::move(condition));
  }
  population.name = make_name(population.conditions);
  return population;
}

Result<std::vector<Population>> parse_intersections(const Json& value,
                                                    const std::vector<Persona>& personas) {
  if (!value.is_array() || value.empty())
    return fail(ErrorKind::Invalid, "populations must be a list: [{{\"attributes\": […]}}, …]");
  std::vector<Population> populations;
  for (const Json& one : value) {
    const std::size_t number = populations.size() + 1;
    const Json* attributes = find_member(one, "attributes");
    if (!attributes || !attributes->is_array() || attributes->empty())
      return fail(ErrorKind::Invalid, "population {} needs \"attributes\", a list", number);
    Population population;
    for (const Json& wanted : *attributes) {
      const auto name = find_text(wanted, "attribute");
      const Json* values = find_member(wanted, "values");
      if (!name || !values || !values->is_array() || values->empty() ||
          !std::ranges::all_of(*values, [](const Json& text) { return text.is_string(); }))
        return fail(ErrorKind::Invalid,
                    "population {}: an attribute needs \"attribute\" and \"values\", a list of "
                    "texts",
                    number);
      Condition condition;
      ASSIGN_OR_RETURN(condition.attribute, find_attribute(personas, *name));
      condition.values = values->get<std::vector<std::string>>();
      if (condition.values.size() == 1) condition.range = find_range(condition.values.front());
      if (condition.range) condition.values.clear();
      population.conditions.push_back(std::move(condition));
    }
    population.name = find_text(one, "name").value_or(make_name(population.conditions));
    populations.push_back(std::move(population));
  }
  return populations;
}

Json to_json(const Population& population) {
  Json conditions = Json::array();
  for (const Condition& condition : population.conditions) {
    Json one = {{"attribute", condition.attribute}, {"values", condition.values}};
    if (condition.range) one["range"] = {condition.range->first, condition.range->second};
    conditions.push_back(std::move(one));
  }
  return {{"name", population.name}, {"conditions", std::move(conditions)}};
}

Result<Population> parse_population(const Json& value) {
  Population population;
  population.name = find_text(value, "name").value_or("");
  const Json* conditions = find_member(value, "conditions");
  if (!conditions || !conditions->is_array())
    return fail(ErrorKind::Invalid, "the stored plan has a population without conditions");
  for (const Json& one : *conditions) {
    Condition condition;
    condition.attribute = find_text(one, "attribute").value_or("");
    if (const Json* values = find_member(one, "values"); values && values->is_array())
      for (const Json& text : *values)
        if (text.is_string()) condition.values.push_back(text);
    const Json* range = find_member(one, "range");
    if (range && range->is_array() && range->size() == 2 && (*range)[0].is_number() &&
        (*range)[1].is_number())
      condition.range = std::pair((*range)[0].get<double>(), (*range)[1].get<double>());
    population.conditions.push_back(std::move(condition));
  }
  return population;
}

std::vector<std::vector<bool>> match(const std::vector<Population>& populations,
                                     const std::vector<Persona>& personas) {
  std::map<std::string, Column> columns;
  std::vector<std::vector<bool>> matches;
  for (const Population& population : populations) {
    std::vector<bool> members(personas.size(), true);
    for (const Condition& condition : population.conditions) {
      auto known = columns.find(condition.attribute);
      if (known == columns.end())
        known =
            columns.emplace(condition.attribute, make_column(condition.attribute, personas)).first;
      const Column& column = known->second;
      std::vector<char> fits;  // by value; the last is for personas without one
      for (const std::string& value : column.values) fits.push_back(holds(condition, value));
      fits.push_back(false);
      for (std::size_t i = 0; i < personas.size(); ++i)
        if (!fits[column.of_persona[i]]) members[i] = false;
    }
    matches.push_back(std::move(members));
  }
  return matches;
}

}  // namespace personascope::eval::persona_bench
