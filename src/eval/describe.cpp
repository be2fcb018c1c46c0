#include "eval/describe.hpp"

#include "eval/catalog.hpp"

namespace personascope::eval {

core::Findings describe(const Json& results) {
  const std::string evaluation = find_text(results, "evaluation").value_or("");
  // "bench/loo", "lens profiles".
  const std::string_view command =
      std::string_view(evaluation).substr(0, evaluation.find_first_of("/ "));
  for (const CatalogRow& row : catalog()) {
    const bool is_known =
        command.empty() && !row.known_by.empty() && find_member(results, row.known_by);
    if (row.command == command || is_known) return row.describe(results);
  }
  return {};
}

}  // namespace personascope::eval
