#include "eval/persona_bench/condition.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "eval/persona_bench/persona.hpp"

namespace personascope::eval::persona_bench {

bool holds(const Condition& condition, std::string_view value) {
  if (condition.range) {
    const auto number = find_first_number(value);
    return number && *number >= condition.range->first && *number <= condition.range->second;
  }
  return std::ranges::any_of(condition.values, [&](const std::string& wanted) {
    if (wanted.size() == value.size() && (wanted == value || lower(wanted) == lower(value)))
      return true;
    const auto range = find_range(wanted);
    const auto number = range ? find_first_number(value) : std::nullopt;
    return number && *number >= range->first && *number <= range->second;
  });
}

std::optional<std::pair<double, double>> find_range(std::string_view text) {
  const std::size_t dash = text.find('-', 1);
  if (text.empty() || dash == std::string_view::npos) return std::nullopt;
  const auto low = find_number_in(trim(text.substr(0, dash)));
  const auto high = find_number_in(trim(text.substr(dash + 1)));
  if (!low || !high || *low < 0 || *high < *low) return std::nullopt;
  return std::pair(*low, *high);
}

Result<std::vector<Condition>> parse_conditions(const Json& value, std::string_view place) {
  if (!value.is_object())
    return fail(ErrorKind::Invalid, "{}: conditions must be attributes with values", place);
  std::vector<Condition> conditions;
  for (const auto& [attribute, wanted] : value.items()) {
    Condition condition{attribute, {}, std::nullopt};
    if (wanted.is_string()) {
      const std::string text = wanted;
      condition.range = find_range(text);
      if (!condition.range) condition.values.push_back(text);
    } else if (wanted.is_array() && !wanted.empty() &&
               std::ranges::all_of(wanted, [](const Json& one) { return one.is_string(); })) {
      condition.values = wanted.get<std::vector<std::string>>();
    } else {
      return fail(ErrorKind::Invalid, "{}: \"{}\" must have a text or a list of texts", place,
                  printable(attribute));
    }
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

Result<std::vector<Need>> parse_needs(std::string_view text, std::string_view place) {
  std::vector<Need> needs;
  if (trim(text).empty()) return needs;
  for (const std::string_view part : split(text, '&')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail(ErrorKind::Invalid,
                  "{}: \"{}\" is no condition; write `attribute=value`, `attribute!=value` or "
                  "`attribute=18-34`, joined by &",
                  place, printable(shorten(trim(part), 80)));
    Need need;
    need.is_negated = part[equals - 1] == '!';
    need.condition.attribute = trim(part.substr(0, need.is_negated ? equals - 1 : equals));
    const std::string_view wanted = trim(part.substr(equals + 1));
    need.condition.range = find_range(wanted);
    if (!need.condition.range)
      for (const std::string_view value : split(wanted, '|'))
        if (!trim(value).empty()) need.condition.values.emplace_back(trim(value));
    if (need.condition.attribute.empty() ||
        (!need.condition.range && need.condition.values.empty()))
      return fail(ErrorKind::Invalid, "{}: \"{}\" lacks an attribute or a value", place,
                  printable(shorten(trim(part), 80)));
    needs.push_back(std::move(need));
  }
  return needs;
}

}  // namespace personascope::eval::persona_bench
