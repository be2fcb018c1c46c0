// What a run of the exam was told: its options, and what `resume` needs to do the same again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/option_table.hpp"
#include "judge/judge.hpp"

namespace personascope::eval::exam {

struct ExamPlan {
  std::vector<std::string> judges;
  std::vector<std::string> kinds;       // empty: all
  std::vector<std::string> dimensions;  // likewise
  std::optional<std::int64_t> limit;    // items of each kind
  std::int64_t seed = 0;
  bool alone = false;  // two answers are never compared in one prompt
  judge::JudgeOptions judging;

  // Derived.
  std::string exam_folder, gym_folder, bench_folder, lens_folder;
  std::string sha256;  // of the data
};

const core::OptionTable<ExamPlan>& exam_options();

}  // namespace personascope::eval::exam
