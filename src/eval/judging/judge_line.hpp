// The lines of `judge`: answers in, verdicts out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "judge/judge.hpp"

namespace personascope::eval::judging {

struct JudgeLine {
  std::string id;
  std::string id_json;   // as the line has it
  judge::Fields fields;  // every member that is text or a number
};

// {"id", "answer", …}; where there is no "answer", the "text" of a batch's output is one. Fails as
// Invalid if a field of `needed` is missing.
Result<JudgeLine> parse_judge_line(std::string_view line, const std::vector<std::string>& needed);

// {"id", "verdict", "score", "error", "cluster", "judges"} on one line; what there is none of is
// null.
std::string render_verdict_line(const JudgeLine& line, const core::Verdict& verdict,
                                const std::optional<std::string>& cluster,
                                const std::vector<judge::Judgement>& judgements);

}  // namespace personascope::eval::judging
