// Agreement of two raters beyond chance on a given scale (Cohen), and of many (Fleiss).
//
// The scale is always given in full, including scores that nobody used; otherwise weighted kappa is
// wrong. For an interval put the statistic through `bootstrap`.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

enum class AgreementWeights {
  Nominal,    // equal or not
  Linear,     // by distance of places on the scale
  Quadratic,  // by its square: the usual choice for 1..5
};

// How much two places of a scale with `categories` places agree: 1 if equal, 0 at the ends.
double agreement_weight(AgreementWeights weights, std::size_t first, std::size_t second,
                        std::size_t categories);

// Cohen's kappa of two raters who scored the same items; `scale` lists the possible scores in
// order. Fails on empty input, different sizes, scores off the scale, and where chance agreement is
// complete (both gave the same score to every item).
Result<Estimate> cohen_kappa(std::span<const int> first, std::span<const int> second,
                             std::span<const int> scale,
                             AgreementWeights weights = AgreementWeights::Quadratic);

enum class ChanceAgreement {
  Observed,  // Fleiss: from the categories' shares
  Uniform,   // Randolph: all categories equally likely
};

// Kappa of many raters; `counts` has one row an item with the number of raters who chose each
// category. Fails on ragged rows, different numbers of raters, a single rater, or no variation.
Result<Estimate> fleiss_kappa(std::span<const std::size_t> counts, std::size_t categories,
                              ChanceAgreement chance = ChanceAgreement::Observed);

// Fleiss' kappa from the scores themselves, those of an item side by side; `scale` as above. Fails
// as above, and on scores off the scale.
Result<Estimate> fleiss_kappa(std::span<const int> scores, std::size_t raters,
                              std::span<const int> scale);

// The place of `score` in `scale`; fails if it is not there.
Result<std::size_t> place_on_scale(int score, std::span<const int> scale);

}  // namespace personascope::stats
