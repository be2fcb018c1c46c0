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

// <folder>/<persona>.json = {task: [questions]}. A persona whose text cannot be a file's name has a
// short one, which <folder>/index.json maps to the text. Fails as NotFound, naming the file that
// was looked for, or as Invalid.
Result<QuestionsByTask> load_questions(const std::string& folder, const std::string& persona);
// <folder>/<persona>_qa.json = {task: [[question, answer], …]}.
Result<PairsByTask> load_responses(const std::string& folder, const std::string& persona);

// The personas that have a file in the folder, in the order of the files' names; `ending` is
// ".json" or "_qa.json". Fails as NotFound if there is no such folder.
Result<std::vector<std::string>> list_personas(const std::string& folder,
                                               const std::string& ending);

// Members stay in the order they are added, as Python writes them: indented by 4.
class ReferenceFile {
 public:
  explicit ReferenceFile(std::string folder) : folder_(std::move(folder)) {}
  // Writes <folder>/<persona><ending>, making the folder, and notes in index.json what a short name
  // stands for. Each file appears whole or not at all.
  Result<void> write(const std::string& persona, const std::string& ending,
                     const std::string& text);
  Result<void> write_index();

 private:
  std::string folder_;
  std::map<std::string, std::string> short_names_;
};

// As Python's json.dump(indent=4) writes them: members in the given order, ASCII only.
std::string render_questions(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& tasks);
std::string render_pairs(
    const std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>&
        tasks);
std::string render_scores(const std::vector<std::pair<std::string, double>>& scores);

}  // namespace personascope::eval::personagym
