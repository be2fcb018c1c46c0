// Populations: personas that meet conditions, in words as `age 18-34 & sex=Female` or in the
// published package's JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/persona_bench/condition.hpp"
#include "eval/persona_bench/persona.hpp"

namespace personascope::eval::persona_bench {

struct Population {
  std::string name;
  std::vector<Condition> conditions;  // all of them
};

// Conditions joined by &: `attribute=value`, `attribute=one|another`, `attribute LOW-HIGH`,
// `attribute=LOW-HIGH|LOW-HIGH`. Names
// are spelt as in `personas`, whatever their case. Fails as Invalid with what is wrong and where;
// an attribute that no persona has is told with those nearest to it.
Result<Population> parse_expression(std::string_view text, const std::vector<Persona>& personas);

// That every value of its conditions is some persona's; a range may be nobody's. Fails as Invalid
// with the nearest values.
Result<void> check_values(const Population& population, const std::vector<Persona>& personas);

// INTERSECTION_JSON of the published package: [{"attributes": [{"attribute": "age", "values":
// ["18-34"]}, …]}, …], each with a "name" if it has one. A single value such as "18-34" is a range.
Result<std::vector<Population>> parse_intersections(const Json& value,
                                                    const std::vector<Persona>& personas);

Json to_json(const Population& population);
// Of what to_json gave. Fails as Invalid.
Result<Population> parse_population(const Json& value);

// For every population, whether each persona belongs to it.
std::vector<std::vector<bool>> match(const std::vector<Population>& populations,
                                     const std::vector<Persona>& personas);

}  // namespace personascope::eval::persona_bench
