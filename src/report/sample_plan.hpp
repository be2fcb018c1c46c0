// How many personas a claim needs: for an interval of a given half-width, or for a difference to be
// found.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "report/score_table.hpp"
#include "stats/planning.hpp"

namespace personascope::report {

struct PlanGoal {
  std::optional<double> half_width = {};  // exactly one of the two
  std::optional<double> difference = {};
  double confidence = 0.95;
  stats::TestPlan test = {};
};

struct PlanRow {
  std::size_t questions = 0;  // a persona
  Result<std::size_t> personas;
};

struct SamplePlan {
  PlanGoal goal;
  stats::Spread spread;       // rows_per_cluster is what was asked or found
  std::string spread_of;      // "given", or what it was estimated from
  std::vector<PlanRow> rows;  // for other numbers of questions, too, where they are known to help
};

// Between and within variances of the scores (first column), or of second minus first column if
// there are two. With one row a cluster the two cannot be told apart: all is between. Fails on
// fewer than 2 clusters, or where nothing varies.
Result<stats::Spread> estimate_spread(const ScoreTable& table);

// Fails unless the goal is one of half-width and difference, and both are possible.
Result<SamplePlan> make_sample_plan(const stats::Spread& spread, std::string spread_of,
                                    const PlanGoal& goal);

Json to_json(const SamplePlan& plan);

}  // namespace personascope::report
