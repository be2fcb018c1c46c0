// Users drawn from the vocabulary by seed. User N of a seed is the same in every run, whichever
// others are drawn, so nothing has to be stored.
#pragma once

#include <cstdint>
#include <memory>

#include "eval/personalens/user.hpp"
#include "eval/personalens/vocabulary.hpp"

namespace personascope::eval::personalens {

enum class Summaries { Written, LeftOut };

// A person who could exist: demographics from one bundle, one diet, daily rhythm, purse and
// mobility in all domains, affinities that fit and lean towards who they are, and for each domain a
// summary in our own sentences. Leaving the summaries out changes nothing else and takes less time.
// With a vocabulary of version 1, users are as version 1 drew them.
User draw_user(const Vocabulary& vocabulary, std::uint64_t seed, int number,
               Summaries summaries = Summaries::Written);

// The tasks whose domains all interest the user, each with a situation.
std::vector<LensTask> draw_tasks(const Vocabulary& vocabulary, std::uint64_t seed, const User& user,
                                 Span span);

// Users 0 to `count` - 1; of seed 0 the ready-made ones as they are written.
std::unique_ptr<UserSource> make_drawn_users(Vocabulary vocabulary, std::uint64_t seed, int count);

}  // namespace personascope::eval::personalens
