// Matches population expressions against personas: `perf_populations FILE COPIES EXPRESSIONS` reads
// the personas of FILE, takes each of them COPIES times with another age, and prints personas,
// expressions, members and seconds. Expressions have one to three conditions.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "base/random.hpp"
#include "eval/persona_bench/population.hpp"

namespace {

using namespace personascope;
namespace bench = eval::persona_bench;

// A condition that its owner meets: a range around a number, else the value itself.
std::string make_condition(const bench::Persona& owner, Random& random) {
  const auto& [name, value] = owner.attributes[random.below(owner.attributes.size())];
  if (name == "age" || name == "income") {
    const auto number = bench::find_first_number(value).value_or(0);
    return fmt::format("{} {:.0f}-{:.0f}", name, number * 0.8, number * 1.2);
  }
  std::string plain = value;
  std::ranges::replace_if(plain, [](char c) { return c == '&' || c == '|'; }, ' ');
  return fmt::format("{}={}", name, plain);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto drawn = bench::load_personas(argv[1]);
  if (!drawn) return 1;
  const auto copies = std::stoul(argv[2]);
  const auto wanted = std::stoul(argv[3]);
  std::vector<bench::Persona> personas;
  for (std::size_t copy = 0; copy < copies; ++copy)
    for (bench::Persona persona : *drawn) {
      persona.id += fmt::format("-{}", copy);
      for (auto& [name, value] : persona.attributes)
        if (name == "age") value = fmt::format("{}", 18 + (copy * 7 + personas.size()) % 80);
      personas.push_back(std::move(persona));
    }
  Random random(1, "populations");
  std::vector<bench::Population> populations;
  while (populations.size() < wanted) {
    const bench::Persona& owner = (*drawn)[random.below(drawn->size())];
    std::string text = make_condition(owner, random);
    for (std::size_t more = random.below(3); more > 0; --more)
      text += " & " + make_condition(owner, random);
    // Names are looked up among a few: finding them is not what is measured.
    auto population = bench::parse_expression(text, {drawn->begin(), drawn->begin() + 1});
    if (population) populations.push_back(std::move(*population));
  }
  const auto start = std::chrono::steady_clock::now();
  const auto members = bench::match(populations, personas);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::size_t count = 0;
  for (const auto& one : members) count += static_cast<std::size_t>(std::ranges::count(one, true));
  fmt::print("{} {} {} {:.4f}\n", personas.size(), populations.size(), count, took.count());
}
