#include "report/sample_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "report/estimate_json.hpp"
#include "report/run_items.hpp"
#include "stats/distribution.hpp"
#include "stats/grouping.hpp"
#include "stats/sign_flip.hpp"
#include "stats/sum.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kOtherQuestions[] = {1, 5, 10, 20, 50, 100};

Result<std::size_t> count_personas(stats::Spread spread, std::size_t questions,
                                   const PlanGoal& goal) {
  spread.rows_per_cluster = questions;
  if (goal.half_width) {
    return stats::clusters_for_half_width(spread, *goal.half_width, goal.confidence);
  }
  ASSIGN_OR_RETURN(const std::size_t personas,
                   stats::clusters_for_difference(spread, *goal.difference, goal.test));
  // Runs are compared by flipping signs, too.
  return std::max(personas, stats::fewest_for_sign_flip(goal.test.alpha));
}

// The same if the pilot's personas, by their means, spread as far off the truth as this quantile.
// How its questions spread is known far better.
std::optional<std::size_t> count_if_off(stats::Spread spread, const Pilot& pilot,
                                        double probability, std::size_t questions,
                                        const PlanGoal& goal) {
  const double df = stats::real(pilot.personas) - 1;
  const double factor = df / stats::chi_squared_quantile(probability, df);
  const double of_questions = spread.within_variance / stats::real(pilot.spread.rows_per_cluster);
  spread.between_variance =
      std::max(0.0, factor * (spread.between_variance + of_questions) - of_questions);
  const auto personas = count_personas(spread, questions, goal);
  return personas ? std::optional(*personas) : std::nullopt;
}

Json pilot_to_json(const Pilot& pilot) {
  Json json = {
      {"scores", pilot.scores}, {"personas", pilot.personas}, {"twice_the_scores", nullptr}};
  if (!pilot.advice) return json;
  json["standard_error_now"] = pilot.advice->standard_error_now;
  json["twice_the_scores"] = Json::object();
  for (const stats::BudgetOption& option : pilot.advice->options)
    json["twice_the_scores"][replace_all(name_of(option.spending), " ", "_")] =
        option.standard_error;
  return json;
}

// What is known of scores, made what is needed of differences.
Result<void> plan_on_differences(SamplePlan& plan) {
  if (plan.goal.half_width || plan.quantity == Quantity::Difference) {
    if (!plan.goal.correlation) return {};
    return fail(ErrorKind::Invalid,
                "`correlation` is only for a `difference` planned from the scores of one run; "
                "leave it out");
  }
  plan.correlation = plan.goal.correlation.value_or(0);
  if (!(std::abs(*plan.correlation) < 1))
    return fail(ErrorKind::Invalid, "a correlation of {} is not between -1 and 1",
                *plan.correlation);
  const double factor = 2 * (1 - *plan.correlation);
  plan.quantity = Quantity::Difference;
  plan.spread.between_variance *= factor;
  plan.spread.within_variance *= factor;
  if (plan.pilot && plan.pilot->advice) {
    stats::BudgetAdvice& advice = *plan.pilot->advice;
    advice.standard_error_now *= std::sqrt(factor);
    for (stats::BudgetOption& option : advice.options) option.standard_error *= std::sqrt(factor);
  }
  return {};
}

// The question of each row: repeats of one, which have "#2" and so on behind its id, share it.
std::vector<std::size_t> number_questions(const ScoreTable& table, const CompleteRows& rows) {
  std::vector<std::size_t> numbers;
  std::map<std::string, std::size_t> known;
  for (const std::size_t row : rows.rows) {
    const std::string key = table.ids.empty() ? std::to_string(row) : question_of(table.ids[row]);
    numbers.push_back(known.try_emplace(key, known.size()).first->second);
  }
  return numbers;
}

}  // namespace

std::string_view name_of(stats::Spending spending) {
  switch (spending) {
    case stats::Spending::MorePersonas:
      return "more personas";
    case stats::Spending::MoreQuestions:
      return "more questions";
    case stats::Spending::MoreRepeats:
      break;
  }
  return "more repeats";
}

Result<Pilot> measure_pilot(const ScoreTable& table) {
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const CompleteRows rows = complete_rows(table, columns);
  if (rows.rows.empty()) return fail(ErrorKind::Invalid, "the pilot has no complete rows");
  std::vector<double> scores = rows.values[0];
  const Quantity quantity = rows.values.size() > 1 ? Quantity::Difference : Quantity::Score;
  if (quantity == Quantity::Difference) {
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = rows.values[1][i] - scores[i];
  }
  const std::size_t clusters = stats::make_grouping(rows.clusters).count;
  if (clusters < 2) {
    return fail(ErrorKind::Invalid, "a pilot with one persona does not show how personas differ");
  }
  if (!(stats::squared_deviations(scores) > 0)) {
    return fail(ErrorKind::Invalid,
                "the scores of the pilot do not vary, so their spread is unknown");
  }
  const std::vector<std::size_t> questions = number_questions(table, rows);
  if (stats::make_grouping(questions).count <= clusters) {  // one question a persona
    const stats::Grouping personas = stats::make_grouping(rows.clusters);
    const stats::ClusterTotals totals = stats::total_by_cluster(scores, personas);
    std::vector<double> means;
    for (std::size_t i = 0; i < clusters; ++i)
      means.push_back(totals.sums[i] / stats::real(totals.sizes[i]));
    const double variance = stats::squared_deviations(means) / stats::real(clusters - 1);
    if (!(variance > 0))
      return fail(ErrorKind::Invalid,
                  "the personas' means do not vary in the pilot, so their spread is unknown");
    return Pilot{.spread = {.between_variance = variance},
                 .quantity = quantity,
                 .scores = scores.size(),
                 .personas = clusters};
  }
  ASSIGN_OR_RETURN(const auto components,
                   stats::variance_components(scores, rows.clusters, questions));
  const double per_cluster = std::round(components.questions_per_persona);
  // With as many repeats as the pilot has.
  const double within = components.question + components.repeat.value_or(0) /
                                                  std::max(1.0, components.repeats_per_question);
  ASSIGN_OR_RETURN(auto advice, stats::advise_budget(components, {}, stats::real(scores.size())));
  return Pilot{.spread = {.between_variance = components.persona,
                          .within_variance = within,
                          .rows_per_cluster = static_cast<std::size_t>(std::max(1.0, per_cluster))},
               .quantity = quantity,
               .scores = scores.size(),
               .personas = clusters,
               .advice = std::move(advice)};
}

Result<SamplePlan> make_sample_plan(const stats::Spread& known, std::string spread_of,
                                    const PlanGoal& goal, std::optional<Pilot> pilot) {
  if (goal.half_width.has_value() == goal.difference.has_value()) {
    return fail(ErrorKind::Invalid, "give either `half_width` or `difference`");
  }
  if (known.rows_per_cluster == 0) {
    return fail(ErrorKind::Invalid, "a persona needs at least one question");
  }
  RETURN_IF_ERROR(stats::check_confidence(goal.confidence));
  const double tail = (1 - goal.confidence) / 2;
  SamplePlan plan{.goal = goal,
                  .spread = known,
                  .spread_of = std::move(spread_of),
                  .quantity = pilot ? pilot->quantity : Quantity::Score,
                  .correlation = {},
                  .pilot = std::move(pilot),
                  .rows = {}};
  RETURN_IF_ERROR(plan_on_differences(plan));
  const stats::Spread& spread = plan.spread;
  std::set<std::size_t> questions{spread.rows_per_cluster};
  if (spread.within_variance > 0)
    questions.insert(std::begin(kOtherQuestions), std::end(kOtherQuestions));
  for (const std::size_t count : questions) {
    plan.rows.push_back({.questions = count, .personas = count_personas(spread, count, goal)});
    if (plan.pilot) {
      plan.rows.back().at_least = count_if_off(spread, *plan.pilot, 1 - tail, count, goal);
      plan.rows.back().at_most = count_if_off(spread, *plan.pilot, tail, count, goal);
    }
    if (count == spread.rows_per_cluster && !plan.rows.back().personas) {
      return std::unexpected(plan.rows.back().personas.error());
    }
  }
  return plan;
}

Json to_json(const SamplePlan& plan) {
  Json rows = Json::array();
  for (const PlanRow& row : plan.rows) {
    Json json = {{"questions_per_persona", row.questions}};
    if (row.personas) {
      json["personas"] = *row.personas;
      json["at_least"] = to_json_or_null(row.at_least);
      json["at_most"] = to_json_or_null(row.at_most);
    } else {
      json["undefined"] = row.personas.error().message;
    }
    rows.push_back(json);
  }
  return {{"half_width", to_json_or_null(plan.goal.half_width)},
          {"difference", to_json_or_null(plan.goal.difference)},
          {"confidence", plan.goal.confidence},
          {"alpha", plan.goal.test.alpha},
          {"power", plan.goal.test.power},
          {"between_variance", plan.spread.between_variance},
          {"within_variance", plan.spread.within_variance},
          {"questions_per_persona", plan.spread.rows_per_cluster},
          {"spread_of", plan.spread_of},
          {"variances_of", plan.quantity == Quantity::Score ? "scores" : "differences"},
          {"assumed_correlation", to_json_or_null(plan.correlation)},
          {"pilot", plan.pilot ? pilot_to_json(*plan.pilot) : Json(nullptr)},
          {"plans", rows}};
}

}  // namespace personascope::report
