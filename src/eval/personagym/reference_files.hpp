// The published program's files: questions, question-answer pairs and scores, one folder each.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::eval::personagym {

// By the tasks' names as the file has them.
using QuestionsByTask = std::map<std::string, std::vector<std::string>, std::less<>>;
using PairsByTask =
    std::map<std::string, std::vector<std::pair<std::string, std::string>>, std::less<>>;

// <folder>/<persona><ending>, where the file is or would be; `ending` is ".json" or "_qa.json". A
// persona whose text cannot be a file's name has a short one, which <folder>/index.json maps to the
// text.
std::string find_file(const std::string& folder, const std::string& persona,
                      const std::string& ending);

// <folder>/<persona>.json = {task: [questions]}. Fails as NotFound, naming the file that was looked
// for, or as Invalid.
Result<QuestionsByTask> load_questions(const std::string& folder, const std::string& persona);
// <folder>/<persona>_qa.json = {task: [[question, answer], …]}.
Result<PairsByTask> load_responses(const std::string& folder, const std::string& persona);

// The personas that have a file with that ending in the folder, in the order of their texts. Fails
// as NotFound if there is no such folder.
Result<std::vector<std::string>> list_personas(const std::string& folder,
                                               const std::string& ending);

// Makes the folder if it is not there; fails as Invalid if no file can be written in it.
Result<void> make_folder(const std::string& folder);

// A folder to write to. What its index.json says of other personas stays.
class ReferenceFile {
 public:
  explicit ReferenceFile(std::string folder) : folder_(std::move(folder)) {}
  // Writes <folder>/<persona><ending>, making the folder, once index.json says what a short name
  // stands for. Each file appears whole or not at all.
  Result<void> write(const std::string& persona, const std::string& ending,
                     const std::string& text);

 private:
  Result<void> add_to_index(const std::string& name, const std::string& persona);

  std::string folder_;
};

// As Python's json.dump(indent=4) writes them: members in the given order, ASCII only.
std::string render_questions(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& tasks);
std::string render_pairs(
    const std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>&
        tasks);
std::string render_scores(const std::vector<std::pair<std::string, double>>& scores);

}  // namespace personascope::eval::personagym
