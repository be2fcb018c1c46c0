// How varied a set of personas is: which values occur, how evenly, and who occurs twice.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "eval/persona_bench/persona.hpp"

namespace personascope::eval::persona_bench {

struct AttributeDiversity {
  std::string attribute;
  std::size_t n = 0;         // personas that have it
  std::size_t distinct = 0;  // values that occur
  std::optional<std::size_t> possible;
  // Entropy of the values over that of as many equally frequent ones (Pielou); nothing where only
  // one value occurs.
  std::optional<double> evenness;
};

struct Diversity {
  std::size_t personas = 0;
  std::size_t duplicates = 0;  // personas that are the same as an earlier one
  std::vector<AttributeDiversity> attributes;
};

// `possible` says how many values attributes can have, where that is known.
Diversity measure_diversity(const std::vector<Persona>& personas,
                            const std::map<std::string, std::size_t>& possible);

Json to_json(const Diversity& diversity);

}  // namespace personascope::eval::persona_bench
