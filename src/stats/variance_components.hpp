// Where the noise of a mean score comes from, and how a further budget reduces it most.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

// Repeats are nested in questions and questions in personas.
struct VarianceComponents {
  double persona = 0;
  double question = 0;  // of a persona's questions; with the repeats' if not separable
  std::optional<double> repeat = {};  // of one question's repeats; nothing if no question has two
  std::size_t personas = 0;
  double questions_per_persona = 0;  // on average, as the other below
  double repeats_per_question = 0;
};

// One score a row with the keys of its persona and of its question (different personas may use the
// same question keys). By analysis of variance, rows need not be balanced; negative components are
// set to 0. Fails on empty or uneven input, fewer than 2 personas, or one question a persona.
Result<VarianceComponents> variance_components(std::span<const double> scores,
                                               std::span<const std::size_t> personas,
                                               std::span<const std::size_t> questions);

// What one more of each costs, in any unit; a persona costs its questions besides, and so on.
struct UnitCosts {
  double persona = 0;
  double question = 0;
  double repeat = 1;
};

enum class Spending { MorePersonas, MoreQuestions, MoreRepeats };

struct BudgetOption {
  Spending spending = Spending::MorePersonas;
  double standard_error = 0;  // of the mean score afterwards
};

struct BudgetAdvice {
  double standard_error_now = 0;
  double cost_now = 0;
  std::vector<BudgetOption> options;  // the best first
};

// Compares spending `extra` on one of the three. More repeats are no option where their component
// is unknown. Fails if costs or the budget are negative or everything is free.
Result<BudgetAdvice> advise_budget(const VarianceComponents& components, const UnitCosts& costs,
                                   double extra);

}  // namespace personascope::stats
