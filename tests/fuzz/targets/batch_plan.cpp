// The plan of a batch as it is stored.
#include "eval/batch/batch.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(batch_plan, bytes) {
  const auto value = parse_json(bytes);
  if (!value) return;
  const auto plan = eval::batch::parse_batch_plan(*value);
  if (!fuzz::succeeds(plan)) return;
  const Json stored = eval::batch::to_json(*plan);
  const auto again = eval::batch::parse_batch_plan(stored);
  fuzz::require(again && eval::batch::to_json(*again) == stored, "a plan reads back the same");
}
