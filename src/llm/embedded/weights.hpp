// The files that embedded models are made of: where they are, whether they are whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "files/environment.hpp"

namespace personascope::llm::embedded {

// The model that is used when nothing else is named.
inline constexpr std::string_view kDefaultModel = "smollm2-135m";
inline constexpr std::string_view kOriginalWeights = "smollm2-135m-q4_1";  // as they were published

struct Weights {
  std::string name;  // without folder and ending
  std::string path;
  std::string sha256;
};

// Whether the name is a path: it has a slash or ends in .gguf.
bool is_path(std::string_view name);

// The file for `embedded/<name>`: the path itself, or <name>.gguf in the models folder. Fails as
// NotFound (missing, not a GGUF file, or not the bytes that a .sha256 file beside it names), and
// says how to get it back.
Result<Weights> find_weights(const std::string& name, const files::Environment& environment);

// A model file in the models folder; nothing but its name and size is looked at.
struct WeightsEntry {
  std::string name;
  std::int64_t bytes = 0;
};
std::vector<WeightsEntry> list_weights(const files::Environment& environment);

// What is wrong with the file, with the remedy: not a GGUF file, or not the bytes that a .sha256
// file beside it names. Empty if nothing is; without that file only its first bytes are looked at.
std::string find_problem(const WeightsEntry& entry, const files::Environment& environment);

// $PERSONASCOPE_MODELS, else beside the folder that $PERSONASCOPE_DATA names, else where the
// program is installed.
std::string models_folder(const files::Environment& environment);

}  // namespace personascope::llm::embedded
