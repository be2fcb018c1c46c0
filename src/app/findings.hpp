// What a run found, in shapes that every door renders.
#pragma once

#include "base/json.hpp"
#include "core/findings.hpp"

namespace personascope::app {

// Of the stored results of any run; empty if they have nothing to show.
core::Findings describe_results(const Json& results);

}  // namespace personascope::app
