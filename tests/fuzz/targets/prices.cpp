// A price file.
#include "llm/prices.hpp"

#include "files/yaml.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(prices, bytes) {
  const auto file = files::parse_yaml(bytes, "prices.yaml");
  if (!file) return;
  llm::Prices prices;
  if (!fuzz::succeeds(prices.add(*file))) return;
  for (const char* name : {"openai/gpt-4o", "anthropic/claude", ""}) {
    const auto price = prices.find(name);
    if (!price) continue;
    const auto cost = llm::cost_of(*price, {1'000'000, 500'000, 2'000'000});
    fuzz::require(cost && *cost >= 0, "a call costs something or nothing");
  }
}
