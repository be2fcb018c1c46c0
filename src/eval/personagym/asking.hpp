// What the model under test is asked: one question in a conversation of its own.
#pragma once

#include <string>

#include "eval/personagym/plan.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::personagym {

// Sampling as the plan has it.
core::Sampling make_sampling(const GymPlan& plan);

core::Request make_question(std::string system, const std::string& question,
                            const core::Sampling& sampling);

// The draw of the model under test for an item.
llm::Draw make_draw(std::string item, int epoch);

}  // namespace personascope::eval::personagym
