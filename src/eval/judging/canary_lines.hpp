// The lines of `judge` that are judged with canary answers too.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "eval/judging/judge_line.hpp"
#include "eval/judging/judge_plan.hpp"

namespace personascope::eval::judging {

struct CanaryLine {
  std::string canary;  // its name
  JudgeLine line;      // with the canary for an answer; its id is "canary/NAME/ID"
};

// The canaries about the items that the plan's number and file choose. Reads the file.
Result<std::vector<CanaryLine>> load_canary_lines(const JudgePlan& plan,
                                                  const judge::Rubric& rubric);

}  // namespace personascope::eval::judging
