// Facts about a person who is being drawn, and conditions on them: what the rules of
// data/lens/people.yaml and fits.yaml are made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/random.hpp"
#include "base/result.hpp"

namespace personascope::eval::personalens {

struct FactCondition {
  std::string fact;
  std::vector<std::string> values;           // the fact has one of them,
  std::optional<std::pair<int, int>> range;  // or is a number within it, ends included
};
using FactConditions = std::vector<FactCondition>;

// A fact has any number of values: a person's job can have several tags.
class Facts {
 public:
  void set(std::string fact, std::vector<std::string> values);
  // Whether all conditions hold. A fact that is not known meets none.
  bool meet(const FactConditions& conditions) const;
  // The first value; empty if there is none.
  std::string_view value_of(std::string_view fact) const;

 private:
  const std::vector<std::string>* find(std::string_view fact) const;
  std::vector<std::pair<std::string, std::vector<std::string>>> facts_;
};

// {"age": "18-30", "faith": ["muslim", "jewish"]}; a null pointer is no condition. Fails as
// Invalid, naming `place`.
Result<FactConditions> parse_fact_conditions(const Json* value, const std::string& place);

// "18-30". Fails as Invalid, naming `place`.
Result<std::pair<int, int>> parse_ages(std::string_view text, const std::string& place);

struct WeightedText {
  std::string text;
  double weight = 1;
};
using WeightedTexts = std::vector<WeightedText>;

// {"a": 60, "b": 40}: at least one, all of them above 0. Fails as Invalid, naming `place`.
Result<WeightedTexts> parse_weights(const Json* value, const std::string& place);

// One place of the list, by weight; the list is not empty and has a weight above 0.
std::size_t pick_weighted(Random& random, const std::vector<double>& weights);
const std::string& pick_text(Random& random, const WeightedTexts& texts);

}  // namespace personascope::eval::personalens
