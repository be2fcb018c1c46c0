// The plans of evaluations as they are stored: a store may be somebody else's.
#include "eval/persona_bench/persona_writing.hpp"
#include "eval/persona_bench/plan.hpp"
#include "eval/personagym/plan.hpp"
#include "eval/personalens/plan.hpp"
#include "eval/personalens/profile_writing.hpp"
#include "property.hpp"

using namespace personascope;

namespace {

template <class Parse>
void check_plan(const Json& value, Parse parse) {
  const auto plan = parse(value);
  if (!fuzz::succeeds(plan)) return;
  const Json stored = to_json(*plan);
  const auto again = parse(stored);
  fuzz::require(again && to_json(*again) == stored, "a plan reads back the same");
}

}  // namespace

FUZZ_TARGET(evaluation_plans, bytes) {
  const auto value = parse_json(bytes);
  if (!value) return;
  check_plan(*value, eval::personagym::parse_gym_plan);
  check_plan(*value, eval::personalens::parse_lens_plan);
  check_plan(*value, eval::persona_bench::parse_bench_plan);
  fuzz::succeeds(eval::persona_bench::parse_writing_plan(*value));
  fuzz::succeeds(eval::personalens::parse_profiles_plan(*value));
}
