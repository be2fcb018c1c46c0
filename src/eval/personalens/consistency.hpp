// Whether a profile can be true: a judge by rules (data/lens/people.yaml and fits.yaml) that sees
// only what is written in the profile, not how it was drawn. Edited, imported and model-written
// profiles can be judged as well as drawn ones.
#pragma once

#include <string>
#include <vector>

#include "eval/personalens/user.hpp"
#include "eval/personalens/vocabulary.hpp"

namespace personascope::eval::personalens {

struct Contradiction {
  std::string rule;    // "name", "education", "diet", …
  std::string detail;  // a sentence with the values
};

// What contradicts itself in the profile. Values that the vocabulary does not know are passed over.
// The vocabulary is of version 2 or later.
std::vector<Contradiction> find_contradictions(const Vocabulary& vocabulary, const User& user);

}  // namespace personascope::eval::personalens
