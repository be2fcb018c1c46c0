// The sheet: one persona's questions of one task, their answers and grades, in one epoch. The unit
// of the gym's work.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/verdict.hpp"
#include "judge/judge.hpp"

namespace personascope::eval::personagym {

struct Item {
  std::string id;  // "p001/expected-action/1", with "#2" for the second epoch
  std::string question;
  std::string answer;
  std::string answer_model;                  // who answered; empty: not known
  std::optional<Error> fault;                // why there is no answer, or no question
  bool refused = false;                      // the model declined to answer
  std::string examples;                      // for each score, as the judges saw them; empty: none
  std::vector<judge::Judgement> judgements;  // by judge; empty if there was nothing to judge
  core::Verdict verdict;                     // of the panel
  // By the rubric beside the task; empty if there is none or nothing to judge.
  std::vector<judge::Judgement> beside;
  core::Verdict beside_verdict;
};

// So many answers the published program grades in one call.
inline constexpr std::size_t kReferenceBatch = 5;

// What one judge's reply to a batch of five was read as, in the published program's way: one number
// a block, 0 where it has none.
struct Batch {
  std::vector<std::vector<double>> scores;  // by judge
  std::optional<Error> fault;               // a call failed, so the batch has no score
};

struct Sheet {
  std::size_t persona = 0;
  std::size_t task = 0;
  int epoch = 0;
  std::vector<Item> items;
  std::vector<Batch> batches;  // of the reference protocol only
};

}  // namespace personascope::eval::personagym
