// The plan of a batch as it is stored.
#include "run/batch.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(batch_plan, bytes) {
  const auto value = parse_json(bytes);
  if (!value) return;
  const auto plan = run::parse_batch_plan(*value);
  if (!fuzz::succeeds(plan)) return;
  const Json stored = run::to_json(*plan);
  const auto again = run::parse_batch_plan(stored);
  fuzz::require(again && run::to_json(*again) == stored, "a plan reads back the same");
}
