// The published program's way of writing the lens's flags and commands.
#pragma once

#include <string>
#include <vector>

namespace personascope::cli {

// Rewrites what follows `lens`: -s3, -s5, -s10, -si and -md, which would be taken for -s with a
// value, long flags with one dash (-start_index), and the commands generate_dialogue,
// generate_dialogue_md, evaluate_dialogue and gather_evaluation. Other words stay as they are.
std::vector<std::string> rewrite_lens_words(std::vector<std::string> words);

}  // namespace personascope::cli
