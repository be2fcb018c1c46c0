#include "stats/expected_score.hpp"

#include <algorithm>
#include <cmath>

#include "stats/sum.hpp"

namespace personascope::stats {

Result<ExpectedScore> expected_score(std::span<const LabelProbability> labels) {
  constexpr double kRounding = 1e-3;  // providers round their log probabilities
  if (labels.empty()) return fail(ErrorKind::Invalid, "there are no labels to expect a score from");
  Sum mass;
  Sum weighted;
  for (const LabelProbability& label : labels) {
    if (!std::isfinite(label.score) || !(label.log_probability <= kRounding)) {
      return fail(ErrorKind::Invalid, "the label {} has no proper probability", label.score);
    }
    mass.add(std::exp(label.log_probability));
    weighted.add(std::exp(label.log_probability) * label.score);
  }
  if (!(mass.value() > 0)) return fail(ErrorKind::Invalid, "no label has any probability");
  if (mass.value() > 1 + kRounding) {
    return fail(ErrorKind::Invalid, "the labels' probabilities sum to {}", mass.value());
  }

  ExpectedScore result;
  result.captured_mass = std::min(1.0, mass.value());
  result.value = weighted.value() / mass.value();
  Sum squares;
  for (const LabelProbability& label : labels) {
    const double deviation = label.score - result.value;
    squares.add(std::exp(label.log_probability) * deviation * deviation);
  }
  result.standard_deviation = std::sqrt(squares.value() / mass.value());
  if (!std::isfinite(result.standard_deviation)) {
    return fail(ErrorKind::Invalid, "the scores are too large to calculate with");
  }
  return result;
}

}  // namespace personascope::stats
