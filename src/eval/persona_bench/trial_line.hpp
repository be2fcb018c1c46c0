// A trial as the store and the file of items keep it.
#pragma once

#include <cstdint>
#include <string>

#include "eval/evaluation.hpp"
#include "eval/persona_bench/trial.hpp"

namespace personascope::eval::persona_bench {

// "scored", "refused", "cannot_assess", "failed".
std::string_view outcome_of(const core::Verdict& verdict);

// The trial's line of output, without its end; `critics` are those who judged it.
std::string render_trial_line(const BenchData& data, const std::vector<CriticKind>& critics,
                              const Trial& trial, const Graded& graded);

ItemRecord make_trial_record(const BenchData& data, const std::vector<CriticKind>& critics,
                             const Trial& trial, const Graded& graded, std::int64_t index);

// How an item with that verdict ended; `scores` is its detail if it was scored.
ItemRecord make_record(std::int64_t index, std::string id, const core::Verdict& verdict,
                       const Json& scores);

}  // namespace personascope::eval::persona_bench
