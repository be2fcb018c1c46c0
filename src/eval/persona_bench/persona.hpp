// A user of the bench: up to 33 attributes in words, as "age: 44".
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace personascope::eval::persona_bench {

// The names of PERSONA Bench's attributes, in the order in which personas are shown.
inline constexpr std::array<std::string_view, 33> kAttributes{
    "age",
    "sex",
    "race",
    "ancestry",
    "household language",
    "education",
    "employment status",
    "class of worker",
    "industry category",
    "occupation category",
    "detailed job description",
    "income",
    "marital status",
    "household type",
    "family presence and age",
    "place of birth",
    "citizenship",
    "veteran status",
    "disability",
    "health insurance",
    "big five scores",
    "defining quirks",
    "mannerisms",
    "personal time",
    "lifestyle",
    "ideology",
    "political views",
    "religion",
    "cognitive difficulty",
    "ability to speak english",
    "vision difficulty",
    "fertility",
    "hearing difficulty",
};

struct Persona {
  std::string id;
  std::vector<std::pair<std::string, std::string>> attributes;  // name and value, as shown
  // How many of the population this one stands for, relative to the others: below 1 for groups that
  // were drawn more often than they are. Never shown to a model.
  double weight = 1;

  const std::string* find(std::string_view attribute) const;
};

// The known attributes in their order, then any others by name.
void sort_attributes(Persona& persona);

// One line an attribute, "- age: 44"; those of `without` are left out.
std::string render_persona(const Persona& persona, const std::vector<std::string>& without = {});

// The persona as a line of JSON: "id" first, then its attributes in their order, and
// "sampling_weight" unless it is 1.
std::string render_line(const Persona& persona);

// The id as a part of an item's id, which "/" and "#" part: "a%2Fb" of "a/b".
std::string escape_id(std::string_view id);

// A table of personas (CSV, TSV, JSONL or a JSON array): a column or member an attribute, and "id"
// if they have ids (else "u1", "u2", … by row), and "sampling_weight" if they have weights. Empty
// cells are attributes that the persona lacks. Fails as NotFound or Invalid with the line: no row,
// an id twice, a persona without attributes.
Result<std::vector<Persona>> load_personas(const std::string& path);

// The name as one of the personas' attributes is spelt, whatever the case of `name`. Fails as
// Invalid with the nearest names.
Result<std::string> find_attribute(const std::vector<Persona>& personas, std::string_view name);

// The first number in the text, with commas between thousands: 48000 of "$48,000 a year".
std::optional<double> find_first_number(std::string_view text);

}  // namespace personascope::eval::persona_bench
