// An item of the exam: answers whose right verdict is known (data/exam; its README has the fields).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "eval/personalens/user.hpp"

namespace personascope::eval::exam {

enum class ExamKind { WhoSpeaks, Pair, Ladder, Trap };
// "who-speaks", "pairs", "ladders", "traps".
std::string_view name_of(ExamKind kind);

struct ExamItem {
  std::string id;
  ExamKind kind = ExamKind::Pair;
  std::string evaluation;             // "gym", "lens" or "bench"
  std::string dimension;              // "persona-consistency"
  std::string flaw;                   // the defect of a pair, the trap of a trap; else empty
  std::string person;                 // the id of a persona or user; of who speaks?, the right one
  std::string question;               // an id, but in who speaks? the text
  std::string task;                   // of the lens
  personalens::Attributes situation;  // likewise
  std::vector<std::string> answers;
  std::vector<std::string> candidates;  // who speaks?: ids of personas
  std::vector<std::size_t> gold;        // the place of the right answer; of a ladder, the scores
  std::string expected;                 // of a trap: "not-higher", "same", "refused", …

  // "gym/persona-consistency".
  std::string place() const { return evaluation + "/" + dimension; }
};

// Traps with two answers, of which the second must not be scored higher, or must be scored alike.
bool compares_answers(const ExamItem& item);

// Reads the six files of the folder into one list, in a fixed order, and adds them to the hash.
// Fails as NotFound or Invalid with file and line: a missing or wrong member, an id twice, gold
// that does not belong to the answers.
Result<std::vector<ExamItem>> load_exam_items(const std::string& folder, Sha256& hash);

}  // namespace personascope::eval::exam
