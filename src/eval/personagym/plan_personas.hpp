// Which personas a run of the gym is about.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "eval/personagym/pack.hpp"
#include "eval/personagym/plan.hpp"

namespace personascope::eval::personagym {

// Those that the plan's options name; if they name none, those of the folder that is read
// (`responses_from`, `questions_from`), else those of the pack that have questions. Each has an id.
// Fails as Invalid if one is given twice or is not in UTF-8.
Result<std::vector<Persona>> choose_personas(const GymPlan& plan, const Pack& pack);

// Personas to tell the true one from, where the run has too few of its own.
std::vector<std::string> choose_distractors(const GymPlan& plan, const Pack& pack);

}  // namespace personascope::eval::personagym
