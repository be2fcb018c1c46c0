#include "eval/persona_bench/population.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>

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
                "\"{}\" is not a condition; write `attribute=value`, `attribute=one|another` or "
                "`attribute 18-34`, joined by &",
                printable(shorten(part, 80)));
  ASSIGN_OR_RETURN(condition.attribute, find_attribute(personas, part.substr(0, blank)));
  return condition;
}

// The personas' values of one attribute, each different one once.
struct Column {
  std::vector<std::string_view> values{""};  // the first is for personas without one
  std::unordered_map<std::string_view, std::uint32_t> places;
  std::vector<std::uint32_t> of_persona;  // a place in `values`
  std::size_t expected = 0;               // most personas have the attribute at the same place
};

using Columns = std::map<std::string, Column, std::less<>>;

// Of every attribute that a condition names. Persona by persona, since they do not fit the cache.
Columns make_columns(const std::vector<Population>& populations,
                     const std::vector<Persona>& personas) {
  Columns columns;
  for (const Population& population : populations)
    for (const Condition& condition : population.conditions)
      columns[condition.attribute].of_persona.resize(personas.size(), 0);
  for (std::size_t i = 0; i < personas.size(); ++i) {
    const auto& entries = personas[i].attributes;
    for (auto& [attribute, column] : columns) {
      if (column.expected >= entries.size() || entries[column.expected].first != attribute)
        column.expected = static_cast<std::size_t>(
            std::ranges::find(entries, attribute, &std::pair<std::string, std::string>::first) -
            entries.begin());
      if (column.expected == entries.size()) continue;
      const std::string_view value = entries[column.expected].second;
      const auto next = static_cast<std::uint32_t>(column.values.size());
      const auto [place, is_new] = column.places.try_emplace(value, next);
      if (is_new) column.values.push_back(value);
      column.of_persona[i] = place->second;
    }
  }
  return columns;
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

Result<void> check_values(const Population& population, const std::vector<Persona>& personas) {
  for (const Condition& condition : population.conditions) {
    std::map<std::string, std::string> known;  // as they are spelt, by lower case
    for (const Persona& persona : personas)
      if (const std::string* value = persona.find(condition.attribute))
        known.emplace(lower(*value), *value);
    for (const std::string& wanted : condition.values) {
      if (known.contains(lower(wanted)) || find_range(wanted)) continue;
      std::vector<std::string> names;
      for (const auto& [name, spelt] : known) names.push_back(name);
      std::vector<std::string> near;
      for (const std::string& name : near_matches(lower(wanted), names))
        near.push_back(printable(shorten(known[name], 80)));
      return fail(ErrorKind::Invalid, "no persona has the {} \"{}\"{}",
                  printable(condition.attribute), printable(shorten(wanted, 80)),
                  near.empty() ? "" : fmt::format("; did you mean {}?", join(near, ", ")));
    }
  }
  return {};
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
  const Columns columns = make_columns(populations, personas);
  std::vector<std::vector<bool>> matches;
  std::vector<std::uint8_t> members;
  for (const Population& population : populations) {
    members.assign(personas.size(), 1);
    for (const Condition& condition : population.conditions) {
      const Column& column = columns.find(condition.attribute)->second;
      std::vector<std::uint8_t> fits(column.values.size(), 0);  // by value
      for (std::size_t i = 1; i < fits.size(); ++i) fits[i] = holds(condition, column.values[i]);
      for (std::size_t i = 0; i < personas.size(); ++i) members[i] &= fits[column.of_persona[i]];
    }
    matches.emplace_back(members.begin(), members.end());
  }
  return matches;
}

}  // namespace personascope::eval::persona_bench
