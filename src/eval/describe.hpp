// The stored results of any run as findings.
#pragma once

#include "base/json.hpp"
#include "core/findings.hpp"

namespace personascope::eval {

// Empty if there is nothing to show: no results, or of an evaluation that this version does not
// know.
core::Findings describe(const Json& results);

}  // namespace personascope::eval
