// The gym's stored results as findings.
#pragma once

#include "base/json.hpp"
#include "core/findings.hpp"

namespace personascope::eval::personagym {

core::Findings describe_gym(const Json& results);

}  // namespace personascope::eval::personagym
