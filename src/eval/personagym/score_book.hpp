// The score book: takes sheets in any order and gives task scores and PersonaScores with intervals
// and counts.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "eval/personagym/pack.hpp"
#include "eval/personagym/plan.hpp"
#include "eval/personagym/sheet.hpp"
#include "judge/summary.hpp"
#include "stats/estimate.hpp"

namespace personascope::eval::personagym {

class ScoreBook {
 public:
  // Plan and tasks outlive the book; `judges` are their names.
  ScoreBook(const GymPlan& plan, const std::vector<GymTask>& tasks,
            std::vector<std::string> judges);

  void take(const Sheet& sheet);
  void take_canary(std::size_t task, const std::string& canary, std::size_t judge,
                   const core::Verdict& verdict);

  // {"outcomes", "tasks": {name: {"mean", "ci95", "n", …}}, "persona_score": {"mean", "ci95", "sd",
  // "clusters", …}, "personas": […], "canaries": of all tasks, by judge, "reference": the same in
  // the published program's arithmetic, "notes"}
  Json summarize() const;

  // Task names and PersonaScore as the published program's scores.json has them: in its arithmetic
  // under its protocol, else ours. Empty where a score is missing.
  std::vector<std::pair<std::string, double>> list_scores() const;

 private:
  struct Page {
    std::vector<judge::Tally::Item> items;
    std::vector<Batch> batches;
  };
  struct CanaryVerdict {
    std::string canary;
    std::size_t judge;
    core::Verdict verdict;
  };
  // Of one task, or of all of them together.
  judge::Tally make_tally(std::optional<std::size_t> task) const;
  // The persona's mean score of the task over what was scored, if anything was.
  std::optional<double> mean_of(std::size_t persona, std::size_t task) const;
  // The same in the published program's arithmetic.
  std::optional<double> reference_mean_of(std::size_t persona, std::size_t task) const;
  std::optional<double> reference_score_of(std::size_t persona) const;
  Json describe_task(std::size_t task) const;
  stats::Scale scale() const;  // of all tasks
  Json describe_persona_score() const;
  Json describe_reference() const;

  const GymPlan& plan_;
  const std::vector<GymTask>& tasks_;
  std::vector<std::string> judges_;
  std::map<std::tuple<std::size_t, std::size_t, int>, Page> pages_;  // persona, task, epoch
  std::map<std::size_t, std::vector<CanaryVerdict>> canaries_;       // by task
};

}  // namespace personascope::eval::personagym
