#include "eval/describe.hpp"

#include "eval/catalog.hpp"
#include "judge/describe.hpp"

namespace personascope::eval {

core::Findings describe(const Json& results) {
  const std::string evaluation = find_text(results, "evaluation").value_or("");
  // "bench/loo", "lens profiles".
  const std::string_view command =
      std::string_view(evaluation).substr(0, evaluation.find_first_of("/ "));
  for (const CatalogRow& row : catalog())
    if (row.command == command) return row.describe(results);
  // Judging and lift do not name themselves.
  if (find_member(results, "rubric")) return judge::describe_judging(results);
  if (find_member(results, "reader")) return judge::describe_lift(results);
  return {};
}

}  // namespace personascope::eval
