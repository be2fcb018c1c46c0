#include "eval/persona_bench/diversity.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace personascope::eval::persona_bench {
namespace {

std::optional<double> evenness_of(const std::map<std::string, std::size_t>& counts, double n) {
  if (counts.size() < 2) return std::nullopt;
  double entropy = 0;
  for (const auto& [value, count] : counts) {
    const double share = static_cast<double>(count) / n;
    entropy -= share * std::log(share);
  }
  return entropy / std::log(static_cast<double>(counts.size()));
}

}  // namespace

Diversity measure_diversity(const std::vector<Persona>& personas,
                            const std::map<std::string, std::size_t>& possible) {
  Diversity diversity;
  diversity.personas = personas.size();
  std::set<std::string> seen;
  std::vector<std::string> order;
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  for (const Persona& persona : personas) {
    if (!seen.insert(render_persona(persona)).second) ++diversity.duplicates;
    for (const auto& [name, value] : persona.attributes) {
      if (!counts.contains(name)) order.push_back(name);
      ++counts[name][value];
    }
  }
  for (const std::string& name : order) {
    AttributeDiversity one;
    one.attribute = name;
    for (const auto& [value, count] : counts[name]) one.n += count;
    one.distinct = counts[name].size();
    if (const auto known = possible.find(name); known != possible.end())
      one.possible = known->second;
    one.evenness = evenness_of(counts[name], static_cast<double>(one.n));
    diversity.attributes.push_back(std::move(one));
  }
  return diversity;
}

Json to_json(const Diversity& diversity) {
  Json attributes = Json::array();
  for (const AttributeDiversity& one : diversity.attributes) {
    Json value = {{"attribute", one.attribute}, {"n", one.n}, {"distinct", one.distinct}};
    if (one.possible) {
      value["possible"] = *one.possible;
      value["coverage"] = static_cast<double>(one.distinct) /
                          static_cast<double>(std::max<std::size_t>(1, *one.possible));
    }
    if (one.evenness) value["evenness"] = *one.evenness;
    attributes.push_back(std::move(value));
  }
  return {{"personas", diversity.personas},
          {"duplicates", diversity.duplicates},
          {"attributes", std::move(attributes)}};
}

}  // namespace personascope::eval::persona_bench
