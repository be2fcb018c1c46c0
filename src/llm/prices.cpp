#include "llm/prices.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/text.hpp"
#include "files/yaml.hpp"

namespace personascope {

namespace embedded {
extern const std::string_view prices_yaml;
}

namespace llm {
namespace {

constexpr double kMillion = 1e6;

Result<Price> parse_price(const std::string& name, const Json& row) {
  const auto input = find_number(row, "input");
  const auto output = find_number(row, "output");
  const double cached = find_number(row, "cached_input").value_or(input.value_or(0));
  if (!input || !output || *input < 0 || *output < 0 || cached < 0)
    return fail(
        ErrorKind::Invalid,
        "the price of {} must have \"input\" and \"output\" in US dollars per million tokens",
        printable(name));
  return Price{*input, *output, cached};
}

}  // namespace

Prices Prices::make_default() {
  Prices prices;
  const auto file = files::parse_yaml(personascope::embedded::prices_yaml, "prices.yaml");
  if (!file || !prices.add(*file)) throw std::logic_error("the built-in price list is broken");
  return prices;
}

Result<void> Prices::add(const Json& file) {
  const Json* models = find_member(file, "models");
  if (!models || !models->is_object())
    return fail(ErrorKind::Invalid, "a price file needs a map \"models\"");
  for (const auto& [name, row] : models->items()) {
    ASSIGN_OR_RETURN(const Price price, parse_price(name, row));
    rows_[name] = price;
  }
  return {};
}

std::optional<Price> Prices::find(std::string_view model) const {
  if (const auto exact = rows_.find(model); exact != rows_.end()) return exact->second;
  std::optional<Price> best;
  std::size_t best_length = 0;
  for (const auto& [name, price] : rows_) {
    if (!name.ends_with('*') || name.size() < best_length) continue;
    if (!model.starts_with(std::string_view(name).substr(0, name.size() - 1))) continue;
    best = price;
    best_length = name.size();
  }
  return best;
}

std::optional<double> cost_of(const Price& price, const core::Usage& usage) {
  if (price.input == 0 && price.output == 0) return 0.0;
  if (!usage.input_tokens || !usage.output_tokens) return std::nullopt;
  const auto cached =
      static_cast<double>(std::min(usage.cached_input_tokens.value_or(0), *usage.input_tokens));
  const double fresh = static_cast<double>(*usage.input_tokens) - cached;
  const auto output = static_cast<double>(*usage.output_tokens);
  return (fresh * price.input + cached * price.cached_input + output * price.output) / kMillion;
}

}  // namespace llm
}  // namespace personascope
