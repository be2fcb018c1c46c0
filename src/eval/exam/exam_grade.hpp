// How right a judge was about one item.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "eval/exam/exam_data.hpp"
#include "eval/exam/examiner.hpp"

namespace personascope::eval::exam {

struct ScoredAnswer {
  double words = 0;
  double value = 0;  // 0 is the worst score of its scale, 1 the best
};

struct ExamGrade {
  // How right, from 0 to 1, with answers scored one at a time: who speaks? 1 or 0; pairs 1, 0, or
  // 0.5 for equal scores; ladders (tau + 1) / 2; traps 1 less the shift that must not be, refusals
  // and empty answers 1 or 0. Nothing: there are not the verdicts for it.
  std::optional<double> credit;
  std::optional<double> tau;     // ladders; 0 if all scores are equal
  std::optional<double> shift;   // traps of two answers: the second's value minus the first's
  std::optional<double> paired;  // of two comparisons, one in each order: the share that is right
  std::optional<double> first;   // likewise: the share that prefers the first place

  std::vector<ScoredAnswer> scored;  // alone
  std::size_t verdicts = 0;          // asked for
  std::size_t missing = 0;           // of these: no score and no choice
  std::size_t repeats = 0;           // pairs of repeated readings of one prompt
  std::size_t repeats_alike = 0;     // of these: the same verdict
};

// An answer that the judge says declines has the worst value.
ExamGrade grade_sitting(const ExamCase& one, const judge::Scale& scale, const Sitting& sitting);

// What several judges say together: the mean of their scores, and of their probabilities where they
// choose. Expects the same case, and at least one sitting.
Sitting combine_sittings(std::span<const Sitting* const> sittings, const ExamItem& item);

}  // namespace personascope::eval::exam
