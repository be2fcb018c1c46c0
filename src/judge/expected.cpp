#include "judge/expected.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "judge/fold.hpp"
#include "stats/expected_score.hpp"

namespace personascope::judge {
namespace {

const Level* find_level_of(const Scale& scale, const std::string& token) {
  return find_level(scale, trim(fold(token)));
}

bool is_refusal_label(const std::string& token, RefusalLabel refusal) {
  return refusal == RefusalLabel::Yes && trim(fold(token)) == kRefusalLabel;
}

std::vector<core::ScoreShare> make_shares(const Scale& scale,
                                          std::span<const stats::LabelProbability> labels) {
  std::vector<core::ScoreShare> shares;
  double mass = 0;
  for (const Level& level : scale.levels) {
    double probability = 0;
    for (const stats::LabelProbability& label : labels)
      if (label.score == level.score) probability += std::exp(label.log_probability);
    shares.push_back({level.score, probability});
    mass += probability;
  }
  for (core::ScoreShare& share : shares) share.probability /= mass;
  return shares;
}

}  // namespace

core::Verdict make_expected_verdict(const Scale& scale, std::span<const core::TokenChoice> labels,
                                    VerdictWas verdict_was, std::string text,
                                    RefusalLabel refusal) {
  std::vector<stats::LabelProbability> known;
  double scored = 0;
  double declined = 0;
  for (const core::TokenChoice& choice : labels) {
    if (is_refusal_label(choice.token, refusal)) {
      declined += std::exp(choice.logprob);
    } else if (const Level* level = find_level_of(scale, choice.token)) {
      known.push_back({level->score, choice.logprob});
      scored += std::exp(choice.logprob);
    }
  }
  if (declined > scored && (verdict_was == VerdictWas::Forced || declined + scored >= kLeastMass))
    return core::make_declined(std::move(text));
  if (known.empty() && verdict_was == VerdictWas::Free && !labels.empty())
    return core::make_abstention(std::move(text));  // a mass of 0
  const auto expected = stats::expected_score(known);
  if (!expected)
    return core::make_failure({ErrorKind::Unparsable, expected.error().message}, std::move(text));
  const double captured_mass = std::min(1.0, expected->captured_mass + declined);
  const bool low = captured_mass < kLeastMass;
  core::Verdict verdict = low && verdict_was == VerdictWas::Free
                              ? core::make_abstention(std::move(text))
                              : core::make_score(expected->value, std::move(text));
  verdict.distribution = core::ScoreDistribution{make_shares(scale, known), captured_mass,
                                                 expected->standard_deviation, low};
  return verdict;
}

std::vector<core::TokenChoice> find_label_choices(const Scale& scale, const core::Reply& reply,
                                                  RefusalLabel refusal) {
  const core::TokenLogprobs* place = nullptr;
  for (const core::TokenLogprobs& token : reply.logprobs) {
    const bool is_label = find_level_of(scale, token.chosen.token) != nullptr ||
                          is_refusal_label(token.chosen.token, refusal);
    const bool is_first = !place && !trim(token.chosen.token).empty();
    if (is_label || is_first) place = &token;
  }
  if (!place) return {};
  std::vector<core::TokenChoice> choices = place->top;
  // Some servers leave the chosen token out of the alternatives when it is an unlikely one.
  const bool listed = std::ranges::any_of(choices, [&](const core::TokenChoice& choice) {
    return choice.token == place->chosen.token;
  });
  if (!listed) choices.push_back(place->chosen);
  return choices;
}

}  // namespace personascope::judge
