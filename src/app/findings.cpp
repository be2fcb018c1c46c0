#include "app/findings.hpp"

#include "eval/describe.hpp"

namespace personascope::app {

core::Findings describe_results(const Json& results) {
  return eval::describe(results);
}

}  // namespace personascope::app
