#include "stats/variance_components.hpp"

#include <algorithm>
#include <cmath>

#include "stats/check.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// Sums of squares of the nested analysis of variance, and the sizes that weigh its components.
struct Nested {
  double between_personas = 0;
  double between_questions = 0;
  double between_repeats = 0;
  double question_sizes_in_personas = 0;  // sum of n_ij^2 / n_i
  double question_sizes = 0;              // sum of n_ij^2
  double persona_sizes = 0;               // sum of n_i^2
};

Nested analyse(std::span<const double> scores, const Grouping& personas,
               const Grouping& questions) {
  const double grand = mean_of(scores);
  std::vector<double> centred(scores.begin(), scores.end());
  for (double& score : centred) score -= grand;
  const ClusterTotals by_persona = total_by_cluster(centred, personas);
  const ClusterTotals by_question = total_by_cluster(centred, questions);
  std::vector<std::size_t> persona_of(questions.count);
  for (std::size_t row = 0; row < scores.size(); ++row) {
    persona_of[questions.of_row[row]] = personas.of_row[row];
  }

  Sum between_personas, between_questions, between_repeats, in_personas, sizes, persona_sizes;
  for (std::size_t p = 0; p < personas.count; ++p) {
    const double n = real(by_persona.sizes[p]);
    between_personas.add(by_persona.sums[p] * by_persona.sums[p] / n);
    persona_sizes.add(n * n);
  }
  const auto persona_mean = [&](std::size_t p) {
    return by_persona.sums[p] / real(by_persona.sizes[p]);
  };
  for (std::size_t q = 0; q < questions.count; ++q) {
    const double n = real(by_question.sizes[q]);
    const double deviation = by_question.sums[q] / n - persona_mean(persona_of[q]);
    between_questions.add(n * deviation * deviation);
    in_personas.add(n * n / real(by_persona.sizes[persona_of[q]]));
    sizes.add(n * n);
  }
  for (std::size_t row = 0; row < scores.size(); ++row) {
    const std::size_t q = questions.of_row[row];
    const double deviation = centred[row] - by_question.sums[q] / real(by_question.sizes[q]);
    between_repeats.add(deviation * deviation);
  }
  return {between_personas.value(),
          between_questions.value(),
          between_repeats.value(),
          in_personas.value(),
          sizes.value(),
          persona_sizes.value()};
}

double standard_error(const VarianceComponents& c, double personas, double questions,
                      double repeats) {
  return std::sqrt(c.persona / personas + c.question / (personas * questions) +
                   c.repeat.value_or(0) / (personas * questions * repeats));
}

}  // namespace

Result<VarianceComponents> variance_components(std::span<const double> scores,
                                               std::span<const std::size_t> personas,
                                               std::span<const std::size_t> questions) {
  RETURN_IF_ERROR(check_values(scores, "scores"));
  RETURN_IF_ERROR(check_same_size(scores.size(), personas.size(), "scores and persona keys"));
  RETURN_IF_ERROR(check_same_size(scores.size(), questions.size(), "scores and question keys"));
  const Grouping by_persona = make_grouping(personas);
  const Grouping by_question = make_intersection(by_persona, make_grouping(questions));
  if (by_persona.count < 2) {
    return fail(ErrorKind::Invalid,
                "only one persona: the variance between personas cannot be estimated");
  }
  if (by_question.count == by_persona.count) {
    return fail(ErrorKind::Invalid,
                "one question per persona: the two variances cannot be separated");
  }

  const Nested nested = analyse(scores, by_persona, by_question);
  const double n = real(scores.size());
  const double question_df = real(by_question.count - by_persona.count);
  const double persona_df = real(by_persona.count - 1);
  const double repeat_df = real(scores.size() - by_question.count);
  // Each mean square expects the component below it, plus its own times a mean size.
  const double repeat = repeat_df > 0 ? nested.between_repeats / repeat_df : 0;
  const double size_1 = (n - nested.question_sizes_in_personas) / question_df;
  const double question = (nested.between_questions / question_df - repeat) / size_1;
  const double size_2 =
      (nested.question_sizes_in_personas - nested.question_sizes / n) / persona_df;
  const double size_3 = (n - nested.persona_sizes / n) / persona_df;
  const double persona =
      (nested.between_personas / persona_df - repeat - size_2 * question) / size_3;
  if (!std::isfinite(persona)) {
    return fail(ErrorKind::Invalid, "the scores are too large to calculate with");
  }

  VarianceComponents components;
  components.persona = std::max(0.0, persona);
  components.question = std::max(0.0, question);
  if (repeat_df > 0) components.repeat = repeat;
  components.personas = by_persona.count;
  components.questions_per_persona = real(by_question.count) / real(by_persona.count);
  components.repeats_per_question = n / real(by_question.count);
  return components;
}

Result<BudgetAdvice> advise_budget(const VarianceComponents& components, const UnitCosts& costs,
                                   double extra) {
  const double personas = real(components.personas);
  const double questions = components.questions_per_persona;
  const double repeats = components.repeats_per_question;
  if (!(personas > 0 && questions > 0 && repeats > 0)) {
    return fail(ErrorKind::Invalid, "without a run so far there is nothing to advise on");
  }
  if (!(costs.persona >= 0 && costs.question >= 0 && costs.repeat > 0 && extra >= 0) ||
      !std::isfinite(costs.persona + costs.question + costs.repeat + extra)) {
    return fail(ErrorKind::Invalid, "costs and budget must not be negative, nor a repeat free");
  }
  const double question_cost = costs.question + repeats * costs.repeat;
  const double persona_cost = costs.persona + questions * question_cost;
  BudgetAdvice advice;
  advice.cost_now = personas * persona_cost;
  advice.standard_error_now = standard_error(components, personas, questions, repeats);
  advice.options = {
      {Spending::MorePersonas,
       standard_error(components, personas + extra / persona_cost, questions, repeats)},
      {Spending::MoreQuestions,
       standard_error(components, personas, questions + extra / (personas * question_cost),
                      repeats)}};
  if (components.repeat) {
    const double more = extra / (personas * questions * costs.repeat);
    advice.options.push_back(
        {Spending::MoreRepeats, standard_error(components, personas, questions, repeats + more)});
  }
  std::ranges::stable_sort(advice.options, {}, &BudgetOption::standard_error);
  return advice;
}

}  // namespace personascope::stats
