// What `lift` reads: answers with their personas, and perhaps the same questions answered without
// one, and more personas to tell them from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "eval/input_file.hpp"

namespace personascope::eval::lift {

// The files; what is not given is not there.
struct LiftFiles {
  InputFile answers;                  // {"id", "persona", "question", "answer"}
  std::optional<InputFile> control;   // {"id", "answer"}: the answer to the question of that id
  std::optional<InputFile> personas;  // {"id", "persona"}
};

struct LiftItem {
  LineId id;
  std::size_t persona = 0;  // its place among the personas
  std::string question;
  std::string answer;
  std::optional<std::string> control;
};

struct LiftInput {
  std::vector<std::string> personas;  // their texts
  std::vector<std::string> names;     // their ids, or the beginnings of their texts
  std::vector<LiftItem> items;
};

// Reads the files whose paths are given, and fills in their hashes. A line's persona is its text,
// or an id or a text of the file of personas. Fails as Invalid with file and line.
Result<LiftInput> load_lift_input(LiftFiles& files);

}  // namespace personascope::eval::lift
