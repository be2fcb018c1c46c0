#include "eval/persona_bench/generator.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::uint64_t kMostTries = 200;
constexpr double kWeightSteps = 10000;  // weights have four digits

double draw_normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
  return radius * std::cos(2 * std::numbers::pi * random.unit());
}

double draw_within(const Json& spread, double number) {
  return std::clamp(number, find_number(spread, "least").value_or(number),
                    find_number(spread, "most").value_or(number));
}

std::string render_thousands(long long number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string draw_lognormal(const Json& spread, Random& random) {
  const double median = find_number(spread, "median").value_or(1);
  const double sigma = find_number(spread, "sigma").value_or(0);
  const double step = find_number(spread, "round").value_or(1);
  const double number = draw_within(spread, median * std::exp(sigma * draw_normal(random)));
  const long long rounded = std::llround(std::round(number / step) * step);
  return replace_all(find_text(spread, "form").value_or("{}"), "{}", render_thousands(rounded));
}

std::string draw_scores(const Json& spread, Random& random) {
  const double mean = find_number(spread, "mean").value_or(50);
  const double sd = find_number(spread, "sd").value_or(10);
  std::vector<std::string> scores;
  for (const Json& name : spread["scores"]) {
    const double score = draw_within(spread, std::round(mean + sd * draw_normal(random)));
    scores.push_back(fmt::format("{} {}", name.get<std::string>(), std::llround(score)));
  }
  return join(scores, ", ");
}

}  // namespace

bool Generator::all_hold(const std::vector<Check>& checks, const Values& values) {
  return std::ranges::all_of(
      checks, [&](const Check& check) { return holds(check.condition, values[check.place]); });
}

bool Generator::any_holds(const std::vector<Check>& checks, const Values& values) {
  return std::ranges::any_of(
      checks, [&](const Check& check) { return holds(check.condition, values[check.place]); });
}

std::optional<std::string> Generator::draw_entry(const Draw& draw, const Values& values,
                                                 Random& random) const {
  const auto list = draw.lists.find(draw.by ? values[*draw.by] : "");
  if (list == draw.lists.end()) return std::nullopt;
  std::vector<const Entry*> fit;
  for (const Entry& entry : list->second)
    if (all_hold(entry.only, values) && !any_holds(entry.never, values)) fit.push_back(&entry);
  if (fit.empty()) return std::nullopt;
  return fit[random.below(fit.size())]->text;
}

std::string Generator::fill_in(const std::string& value, const Values& values) const {
  if (value == "{ancestry}" && birthplace_)
    if (const auto found = ancestries_.find(values[*birthplace_]); found != ancestries_.end())
      return found->second;
  if (value == "{language}" && ancestry_) {
    const auto found = languages_.find(values[*ancestry_]);
    return found == languages_.end() ? "English" : found->second;
  }
  return value;
}

std::optional<std::string> Generator::draw_value(const Draw& draw, const Values& values,
                                                 Random& random, double& weight) const {
  if (draw.tables.empty()) return draw_entry(draw, values, random);
  const auto table = std::ranges::find_if(
      draw.tables, [&](const Table& one) { return all_hold(one.when, values); });
  if (table == draw.tables.end()) return std::nullopt;
  if (table->is_lognormal) return draw_lognormal(table->spread, random);
  if (!table->spread.is_null()) return draw_scores(table->spread, random);
  const double point = random.unit() * table->values.back().up_to;
  const auto chosen =
      std::ranges::find_if(table->values, [&](const Weighted& one) { return point < one.up_to; });
  const Weighted& drawn = chosen == table->values.end() ? table->values.back() : *chosen;
  const std::string& value = drawn.value;
  weight *= drawn.weight;
  if (!table->is_ranges) return fill_in(value, values);
  const auto range = find_range(value).value();
  const auto width = static_cast<std::uint64_t>(range.second - range.first) + 1;
  return std::to_string(static_cast<std::uint64_t>(range.first) + random.below(width));
}

std::string Generator::find_fault(const Values& values) const {
  for (const Rule& rule : rules_)
    if (all_hold(rule.when, values) &&
        (!all_hold(rule.must, values) || any_holds(rule.must_not, values)))
      return rule.id;
  return "";
}

Result<Generator::Population> Generator::draw(std::size_t count, std::uint64_t seed) const {
  Population population;
  for (std::size_t number = 1; number <= count; ++number) {
    const std::string id = fmt::format("ps-{:04}", number);
    std::string fault = "none";
    for (std::uint64_t attempt = 0; !fault.empty(); ++attempt) {
      if (attempt == kMostTries)
        return fail(ErrorKind::Invalid,
                    "no persona could be drawn in {} tries; the last reason: {}", kMostTries,
                    printable(fault));
      Random random(seed, "bench persona", id, attempt);
      Values values(draws_.size());
      fault.clear();
      double weight = 1;
      for (std::size_t i = 0; i < draws_.size() && fault.empty(); ++i) {
        auto value = draw_value(draws_[i], values, random, weight);
        if (value)
          values[i] = std::move(*value);
        else
          fault = draws_[i].name;
      }
      if (fault.empty()) fault = find_fault(values);
      if (!fault.empty()) {
        ++population.drawn_anew[fault];
        continue;
      }
      Persona persona{id, {}, std::round(weight * kWeightSteps) / kWeightSteps};
      for (std::size_t i = 0; i < draws_.size(); ++i)
        if (!draws_[i].hidden) persona.attributes.emplace_back(draws_[i].name, values[i]);
      sort_attributes(persona);
      population.personas.push_back(std::move(persona));
    }
  }
  return population;
}

}  // namespace personascope::eval::persona_bench
