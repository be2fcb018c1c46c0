// What the exam is made of: its items with the texts of the people, questions and tasks that they
// name, and the rubrics and prompts of gym, bench and lens.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/exam/exam_item.hpp"
#include "eval/persona_bench/critic.hpp"
#include "eval/personagym/pack.hpp"
#include "eval/personalens/dialogue.hpp"
#include "eval/personalens/dimension.hpp"
#include "eval/personalens/words.hpp"
#include "judge/rubric.hpp"

namespace personascope::eval::exam {

// Where the files are.
struct ExamFolders {
  std::string exam;
  std::string gym;
  std::string bench;
  std::string lens;
};

struct ExamCase {
  ExamItem item;
  std::string person;               // the persona's text; of the lens, what its judges are told
  std::string request;              // the question's text; of the lens empty
  std::string good, bad;            // of a probe: what good and bad answers do
  std::vector<std::string> people;  // who speaks?: the candidates' texts

  // Of the lens.
  const personalens::Dimension* dimension = nullptr;
  std::optional<personalens::ScenarioTexts> scene{};
  std::vector<personalens::Dialogue> dialogues{};  // by answer
};

struct ExamData {
  std::vector<ExamCase> cases;
  personagym::Pack gym;
  persona_bench::CriticWords bench;
  personalens::Words lens;
  judge::Rubric pair;  // {about} {measure} {best} {answers}
  judge::Rubric who;   // {people} {question} {answer}
  Json marks;          // licence.yaml
  std::string sha256;  // of all that was read
};

// Fails as NotFound or Invalid, with file and line, also if an item names a person, question, task
// or dimension that is not there.
Result<ExamData> load_exam_data(const ExamFolders& folders);

// The rubric by which gym, bench or lens score the item's answers; null if there is no such
// dimension.
const judge::Rubric* find_exam_rubric(const ExamData& data, const ExamItem& item);

// Whether a low score is the better one: it says how much is given away.
inline bool is_better_low(const ExamItem& item) {
  return item.dimension == "first-turn-leak";
}

}  // namespace personascope::eval::exam
