// Users drawn from the vocabulary by seed. User N of a seed is the same in every run, whichever
// others are drawn, so nothing has to be stored.
#pragma once

#include <cstdint>
#include <memory>

#include "eval/personalens/user.hpp"
#include "eval/personalens/vocabulary.hpp"

namespace personascope::eval::personalens {

// Demographics that can be true together, interests by age, affinities of which some are likelier
// for some people, and a summary a domain in our own sentences. The vocabulary outlives the call.
User draw_user(const Vocabulary& vocabulary, std::uint64_t seed, int number);

// The tasks whose domains all interest the user, each with a situation.
std::vector<LensTask> draw_tasks(const Vocabulary& vocabulary, std::uint64_t seed, const User& user,
                                 Span span);

// Users 0 to `count` - 1; of seed 0 the ready-made ones as they are written.
std::unique_ptr<UserSource> make_drawn_users(Vocabulary vocabulary, std::uint64_t seed, int count);

}  // namespace personascope::eval::personalens
