// Fills the sentences of a summary with what a user likes in one domain. No attribute is mentioned
// twice in a summary.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "eval/personalens/vocabulary.hpp"

namespace personascope::eval::personalens {

// "a, b and c"; the list is not empty.
std::string join_spoken(const std::vector<std::string>& texts);

class SentenceFiller {
 public:
  // The words for the i-th of `likes`, which are in the order of the domain's affinities.
  using Say = std::function<std::string(std::size_t i)>;
  // All of these outlive the filler.
  SentenceFiller(const Domain& domain, const Attributes& likes, Random& random, Say say)
      : domain_(domain), likes_(likes), random_(random), say_(std::move(say)) {}

  // A sentence of the domain, which names its attributes; empty if one was mentioned before.
  std::string fill_own(const std::string& text);
  // A sentence of any domain, about an attribute that is drawn; empty if none is left for it.
  std::string fill_general(const std::string& text);

 private:
  bool is_spoken(std::size_t i) const;

  const Domain& domain_;
  const Attributes& likes_;
  Random& random_;
  Say say_;
  std::vector<std::size_t> spoken_;
};

}  // namespace personascope::eval::personalens
