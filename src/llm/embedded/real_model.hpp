// For tests: the real weights that scripts/setup-model fetched.
#pragma once

#include "files/environment.hpp"
#include "llm/embedded/vocabulary.hpp"
#include "llm/embedded/weights.hpp"

namespace personascope::llm::embedded {

inline std::string real_model_path() {
  return find_weights(std::string(kDefaultModel), files::Environment({})).value().path;
}

// Loaded once a process.
inline Vocabulary& real_vocabulary() {
  static Vocabulary vocabulary(load_model(real_model_path(), Part::Vocabulary).value());
  return vocabulary;
}

}  // namespace personascope::llm::embedded
