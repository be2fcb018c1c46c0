// Conditions on a persona's attributes: a value, one of several, or a range of numbers. What draws,
// rules and populations are made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::eval::persona_bench {

struct Condition {
  std::string attribute;
  std::vector<std::string> values;  // any of them, whatever the case; each may be a range, too
  std::optional<std::pair<double, double>> range;  // or the first number within it, ends included
};

// Whether a value of the condition's attribute meets it.
bool holds(const Condition& condition, std::string_view value);

// The ends of a range such as "18-34"; nothing if the text is something else.
std::optional<std::pair<double, double>> find_range(std::string_view text);

// {"age": "18-34", "sex": ["Female", "Male"]}: every line is a condition. Fails as Invalid, naming
// `place`, where it has another form.
Result<std::vector<Condition>> parse_conditions(const Json& value, std::string_view place);

// A condition that a question puts to whoever is asked it.
struct Need {
  Condition condition;
  bool is_negated = false;  // none of the values
};

// Needs joined by &: `attribute=one|another`, `attribute!=one|another`, `attribute=18-34`. An empty
// text is none. Fails as Invalid, naming `place`.
Result<std::vector<Need>> parse_needs(std::string_view text, std::string_view place);

}  // namespace personascope::eval::persona_bench
