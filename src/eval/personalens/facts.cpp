#include "eval/personalens/facts.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::eval::personalens {
namespace {

std::optional<std::pair<int, int>> find_ages(std::string_view text) {
  const std::size_t dash = text.find('-', 1);
  if (text.empty() || dash == std::string_view::npos) return std::nullopt;
  const auto low = find_integer_in(trim(text.substr(0, dash)));
  const auto high = find_integer_in(trim(text.substr(dash + 1)));
  if (!low || !high || *low < 0 || *high < *low || *high > 200) return std::nullopt;
  return std::pair(static_cast<int>(*low), static_cast<int>(*high));
}

}  // namespace

void Facts::set(std::string fact, std::vector<std::string> values) {
  facts_.emplace_back(std::move(fact), std::move(values));
}

const std::vector<std::string>* Facts::find(std::string_view fact) const {
  const auto found = std::ranges::find(facts_, fact, &decltype(facts_)::value_type::first);
  return found == facts_.end() ? nullptr : &found->second;
}

std::string_view Facts::value_of(std::string_view fact) const {
  const auto* values = find(fact);
  return values && !values->empty() ? std::string_view(values->front()) : std::string_view();
}

bool Facts::meet(const FactConditions& conditions) const {
  return std::ranges::all_of(conditions, [&](const FactCondition& condition) {
    const auto* values = find(condition.fact);
    if (!values) return false;
    return std::ranges::any_of(*values, [&](const std::string& value) {
      if (condition.range) {
        const auto number = find_integer_in(value);
        return number && *number >= condition.range->first && *number <= condition.range->second;
      }
      return std::ranges::find(condition.values, value) != condition.values.end();
    });
  });
}

Result<FactConditions> parse_fact_conditions(const Json* value, const std::string& place) {
  FactConditions conditions;
  if (!value) return conditions;
  if (!value->is_object())
    return fail(ErrorKind::Invalid, "{}: conditions must be facts with values", place);
  for (const auto& [fact, wanted] : value->items()) {
    FactCondition condition{fact, {}, std::nullopt};
    if (wanted.is_string()) {
      condition.range = find_ages(wanted.get_ref<const std::string&>());
      if (!condition.range) condition.values.push_back(wanted);
    } else if (wanted.is_array() && !wanted.empty() &&
               std::ranges::all_of(wanted, [](const Json& one) { return one.is_string(); })) {
      condition.values = wanted.get<std::vector<std::string>>();
    } else {
      return fail(ErrorKind::Invalid, "{}: \"{}\" must have a text or a list of texts", place,
                  printable(fact));
    }
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

Result<std::pair<int, int>> parse_ages(std::string_view text, const std::string& place) {
  const auto ages = find_ages(text);
  if (!ages)
    return fail(ErrorKind::Invalid, "{}: \"{}\" is no range of ages such as 18-30", place,
                printable(text));
  return *ages;
}

Result<WeightedTexts> parse_weights(const Json* value, const std::string& place) {
  WeightedTexts texts;
  if (value && value->is_object())
    for (const auto& [text, weight] : value->items()) {
      if (!weight.is_number() || weight.get<double>() <= 0)
        return fail(ErrorKind::Invalid, "{}: the weight of \"{}\" must be a number above 0", place,
                    printable(text));
      texts.push_back({text, weight.get<double>()});
    }
  if (texts.empty()) return fail(ErrorKind::Invalid, "{}: must be values with weights", place);
  return texts;
}

std::size_t pick_weighted(Random& random, const std::vector<double>& weights) {
  double total = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) {
      total += weights[i];
      last = i;
    }
  double at = random.unit() * total;
  for (std::size_t i = 0; i < last; ++i) {
    if (weights[i] > 0 && at < weights[i]) return i;
    at -= std::max(weights[i], 0.0);
  }
  return last;  // also where rounding leads past the end
}

const std::string& pick_text(Random& random, const WeightedTexts& texts) {
  std::vector<double> weights;
  weights.reserve(texts.size());
  for (const WeightedText& text : texts) weights.push_back(text.weight);
  return texts[pick_weighted(random, weights)].text;
}

}  // namespace personascope::eval::personalens
