// The scale a judge scores on: its levels, the words that name them, and what each means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stats/estimate.hpp"

namespace personascope::judge {

struct Level {
  double score = 0;
  std::string label;              // "4", "yes"
  std::vector<std::string> also;  // other words for it: "four", "true"
  std::string criterion;          // what an answer of this level shows
  std::vector<std::string> examples;
};

// At least two levels, lowest score first, each score and label once. make_… functions and the
// rubric's loader see to it.
struct Scale {
  std::vector<Level> levels;

  double low() const { return levels.front().score; }
  double high() const { return levels.back().score; }
  stats::Scale bounds() const { return {low(), high()}; }
};

// The whole numbers from `low` to `high`; up to ten, they may also be written as English words.
Scale make_number_scale(int low, int high);
// "no" is 0 and "yes" is 1, also written false and true.
Scale make_yes_no_scale();

// A level for `label` with the other words that people and models use for it.
Level make_level(double score, std::string label);

// The level with exactly that label or word, whatever its case; null if there is none.
const Level* find_level(const Scale& scale, std::string_view word);

// "1, 2, 3, 4 or 5".
std::string render_labels(const Scale& scale);

}  // namespace personascope::judge
