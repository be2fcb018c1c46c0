#include "run/headline.hpp"

#include "eval/describe.hpp"

namespace personascope::run {

std::optional<core::Metric> find_headline(const Json& results) {
  std::optional<core::Metric> headline = eval::describe(results).headline;
  if (!headline || !headline->value) return std::nullopt;
  return headline;
}

}  // namespace personascope::run
