// The files of the user's own that a run reads: tasks, questions, answers. A run that goes on must
// find them as they were.
#pragma once

#include <string>

#include "base/result.hpp"
#include "eval/personagym/plan.hpp"

namespace personascope::eval::personagym {

// SHA-256 of all of them, or an empty text if the plan names none. Fails as load_text does.
Result<std::string> hash_inputs(const GymPlan& plan);

// Fails as Invalid if they are not those of the plan's `inputs_sha256`; a plan without is not
// checked.
Result<void> check_inputs(const GymPlan& plan);

}  // namespace personascope::eval::personagym
