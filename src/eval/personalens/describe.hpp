// The lens' stored results as findings.
#pragma once

#include "base/json.hpp"
#include "core/findings.hpp"

namespace personascope::eval::personalens {

// Of runs and, with evaluation "lens profiles", of written profiles.
core::Findings describe_lens(const Json& results);

}  // namespace personascope::eval::personalens
