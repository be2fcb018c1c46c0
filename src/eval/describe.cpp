#include "eval/describe.hpp"

#include "eval/persona_bench/describe.hpp"
#include "eval/personagym/describe.hpp"
#include "eval/personalens/describe.hpp"
#include "judge/describe.hpp"

namespace personascope::eval {

core::Findings describe(const Json& results) {
  const std::string evaluation = find_text(results, "evaluation").value_or("");
  if (evaluation == "gym") return personagym::describe_gym(results);
  if (evaluation.starts_with("bench/")) return persona_bench::describe_bench(results);
  if (evaluation.starts_with("lens")) return personalens::describe_lens(results);
  // Judging and lift do not name themselves.
  if (find_member(results, "rubric")) return judge::describe_judging(results);
  if (find_member(results, "reader")) return judge::describe_lift(results);
  return {};
}

}  // namespace personascope::eval
