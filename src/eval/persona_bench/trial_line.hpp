// A trial as the run's record keeps it.
#pragma once

#include <cstdint>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/persona_bench/trial.hpp"

namespace personascope::eval::persona_bench {

// `critics` are those who judged it. Its document: {"persona", "question_id", "question", "mode",
// "epoch", "answer", "critique", "thoughts", "control", "shown", "without", "quotes", "lift",
// "lift_by_attribute", "unread", "critics"}.
ItemRecord make_trial_record(const BenchData& data, const std::vector<CriticKind>& critics,
                             const Trial& trial, const Graded& graded, std::int64_t position);

}  // namespace personascope::eval::persona_bench
