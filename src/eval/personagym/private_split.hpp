// The held-out split: personas and questions that are made from a seed of the user's own and are
// shipped nowhere as texts. The same seed gives the same ones.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personagym/plan.hpp"

namespace personascope::eval::personagym {

inline constexpr std::size_t kPrivatePersonas = 10;
inline constexpr std::size_t kPrivateQuestions = 10;  // a task

// Puts the split in the place of the pack's personas, questions and probes. `parts` is the pack's
// private.yaml, whose head explains it. Fails as Invalid if the seed has fewer than 16 bytes or a
// part is missing.
Result<void> draw_private_split(const Json& parts, std::string_view seed, Pack& pack);

// The same if the plan asks for it, with the seed of its file and the parts of our own folder;
// else nothing. Fails also as NotFound.
Result<void> use_split(const GymPlan& plan, Pack& pack);

// Where the parts are.
std::string find_parts(const GymPlan& plan);

}  // namespace personascope::eval::personagym
