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
#include "stats/variance_components.hpp"

namespace personascope::report {

struct PlanGoal {
  std::optional<double> half_width = {};  // exactly one of the two
  std::optional<double> difference = {};
  double confidence = 0.95;
  stats::TestPlan test = {};
  // Of the scores of two runs on the same items, where a difference is planned by the spread of one
  // run's scores; nothing: 0, which is cautious.
  std::optional<double> correlation = {};
};

enum class Quantity {
  Score,
  Difference,  // of the scores that two runs have for an item
};

// What a first, small run says of the spread.
struct Pilot {
  stats::Spread spread = {};
  Quantity quantity = Quantity::Score;  // whose spread that is
  std::size_t scores = 0;
  std::size_t personas = 0;
  // What as many scores again would bring, spent on personas or on questions; nothing where the two
  // cannot be told apart.
  std::optional<stats::BudgetAdvice> advice = {};
};

struct PlanRow {
  std::size_t questions = 0;  // a persona
  Result<std::size_t> personas;
  // With the least and the largest spread that the pilot leaves possible; nothing without a pilot,
  // or where more would be needed than can be counted.
  std::optional<std::size_t> at_least = {};
  std::optional<std::size_t> at_most = {};
};

struct SamplePlan {
  PlanGoal goal;
  stats::Spread spread;                 // rows_per_cluster is what was asked or found
  std::string spread_of;                // "given", or what it was estimated from
  Quantity quantity = Quantity::Score;  // whose spread is planned with
  // Assumed, where the spread of differences was made from that of scores.
  std::optional<double> correlation;
  std::optional<Pilot> pilot;
  std::vector<PlanRow> rows;  // for other numbers of questions, too, where they are known to help
};

// Between and within variances of the scores (first column), or of second minus first column if
// there are two. With one row a cluster the two cannot be told apart: all is between. Fails on
// fewer than 2 clusters, or where nothing varies.
Result<Pilot> measure_pilot(const ScoreTable& table);

// Without a pilot the spread is that of scores. For a difference by the spread of scores, variances
// are taken times 2 (1 - correlation). Fails unless the goal is one of half-width and difference,
// and possible, and where a correlation is given that is not needed. The spread of a pilot of G
// personas is as sure as a variance is: chi-square with G-1 degrees of freedom, at the goal's
// confidence.
Result<SamplePlan> make_sample_plan(const stats::Spread& known, std::string spread_of,
                                    const PlanGoal& goal, std::optional<Pilot> pilot = {});

std::string_view name_of(stats::Spending spending);

Json to_json(const SamplePlan& plan);

}  // namespace personascope::report
