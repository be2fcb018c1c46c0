// Writes summaries of a user's past interactions in our own sentences (data/lens/summaries.yaml). A
// summary never quotes the profile: affinities are spoken of in other words
// (data/lens/paraphrases.yaml).
#pragma once

#include <string>

#include "base/random.hpp"
#include "eval/personalens/vocabulary.hpp"

namespace personascope::eval::personalens {

// The summary of one domain. `likes` are the user's, in the order of the domain's affinities.
std::string write_summary(const Vocabulary& vocabulary, const Domain& domain,
                          const Attributes& likes, Random& random);

}  // namespace personascope::eval::personalens
