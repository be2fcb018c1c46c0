// A line of the bench's pairs with gold answers, and answers held against it.
#include "eval/persona_bench/gold.hpp"

#include "property.hpp"

using namespace personascope;
namespace bench = personascope::eval::persona_bench;

FUZZ_TARGET(comparison_pair, bytes) {
  const auto [line, answer] = fuzz::cut(bytes);
  const auto value = parse_json(line);
  if (!value) return;
  const auto pair = bench::parse_comparison(*value);
  if (!fuzz::succeeds(pair)) return;
  const auto given = parse_json(answer);
  for (const std::size_t user : {0u, 1u}) {
    bench::is_right(*pair, user, given ? *given : Json());
    bench::is_right(*pair, user, pair->gold[user]);
  }
}
