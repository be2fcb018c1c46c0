// The calls that a run of judges makes, without making them: for checks, estimates, and to explain
// what a replay missed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "judge/canary.hpp"
#include "run/judge_line.hpp"
#include "run/judging.hpp"
#include "run/model_set.hpp"

namespace personascope::run {

// What lines must have, whichever of the rubric's prompts a judge is asked with.
std::vector<std::string> list_judged_fields(const judge::Rubric& rubric);

// The panel, and the judge for escalations behind it if there is one.
std::vector<std::string> list_judges(const JudgePlan& plan);

using MakeModel = std::function<Result<llm::Model*>(const std::string&)>;
Result<std::vector<judge::Judge>> make_judges(const JudgePlan& plan, const judge::Rubric& rubric,
                                              const MakeModel& make_model);

// Judges that are asked nothing.
class IdleJudges {
 public:
  // The rubric outlives them.
  Result<void> add(const RunEnvironment& environment, const JudgePlan& plan,
                   const judge::Rubric& rubric);
  const std::vector<judge::Judge>& get() const { return judges_; }

 private:
  std::unique_ptr<ModelSet> models_;
  std::vector<judge::Judge> judges_;
};

// The canary answers about the chosen items, made while the items go by.
class CanaryLines {
 public:
  CanaryLines(const JudgePlan& plan, const judge::Rubric& rubric);
  void see(std::int64_t index, const JudgeLine& line);

  struct Line {
    std::string canary;
    JudgeLine line;
  };
  const std::vector<Line>& lines() const { return lines_; }
  std::int64_t expected() const;

 private:
  std::vector<judge::Canary> canaries_;
  std::string judged_;
  std::vector<std::size_t> chosen_;
  std::vector<Line> lines_;
};

// Goes through what each judge of the panel will be asked, canaries at the end; `visit` gets the
// judge's place. What an escalation would ask is not known before. Fails as `visit` does, or if the
// input cannot be read.
Result<void> visit_judge_calls(
    const JudgePlan& plan, const judge::Rubric& rubric, const std::vector<judge::Judge>& judges,
    const std::function<Result<void>(std::size_t, const judge::Judge::Ask&)>& visit);

}  // namespace personascope::run
