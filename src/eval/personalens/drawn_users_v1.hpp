// Users as version 1 of data/lens drew them, attribute by attribute: for old runs only. They can
// contradict themselves; drawn_users.hpp has what replaced them.
#pragma once

#include <cstdint>

#include "eval/personalens/vocabulary.hpp"

namespace personascope::eval::personalens {

// The vocabulary is one of version 1.
User draw_user_v1(const Vocabulary& vocabulary, std::uint64_t seed, int number);

}  // namespace personascope::eval::personalens
