// Answers that tell a user what is known of them: values of attributes repeated word for word.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "eval/persona_bench/persona.hpp"

namespace personascope::eval::persona_bench {

// Counts only what can hardly be there by chance: a value of four words or more, whole or without
// its first ("Keeps chickens and sells the eggs" in "you keep chickens and sells the eggs"), or one
// of two words or of six letters that at most one in fifty of the personas has. Never "Yes", "None"
// or a number, nor what the question says itself.
class QuoteFinder {
 public:
  explicit QuoteFinder(const std::vector<Persona>& personas);

  // The attributes, not among `without`, whose value the answer repeats.
  std::vector<std::string> find(const Persona& persona, const std::vector<std::string>& without,
                                std::string_view question, std::string_view answer) const;

 private:
  bool is_distinctive(const std::string& words) const;

  std::size_t personas_ = 0;
  std::map<std::string, std::size_t> owners_;  // how many personas have the value
};

}  // namespace personascope::eval::persona_bench
