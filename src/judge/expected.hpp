// Expected scores: a verdict as the mean of the labels weighted by the judge's
// probabilities.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/reply.hpp"
#include "core/verdict.hpp"
#include "judge/scale.hpp"

namespace personascope::judge {

// Whether the judge could have written anything, or only a label.
enum class VerdictWas { Free, Forced };

// Below this captured mass a free verdict is "cannot assess", and a forced one is flagged.
inline constexpr double kLeastMass = 0.5;

// The label instead of a score if the answer declines: one token for most models.
inline constexpr std::string_view kRefusalLabel = "R";
// Whether the labels may hold kRefusalLabel beside those of the scale.
enum class RefusalLabel { No, Yes };

// The verdict of a distribution over labels, each given with its log-probability. Variants of a
// label ("4", " 4", "four") add up; other words are left out. No label at all, or invalid
// probabilities, is Failed as Unparsable. `text` is what the verdict keeps. With a refusal label,
// the answer declines if that label has more than half of the probability of all labels; if not, it
// counts only for the captured mass.
core::Verdict make_expected_verdict(const Scale& scale, std::span<const core::TokenChoice> labels,
                                    VerdictWas verdict_was, std::string text,
                                    RefusalLabel refusal = RefusalLabel::No);

// The likeliest alternatives where the reply says its verdict: at its last token that is a label,
// or else at its first that is not blank. Empty if the reply has no log-probabilities.
std::vector<core::TokenChoice> find_label_choices(const Scale& scale, const core::Reply& reply,
                                                  RefusalLabel refusal = RefusalLabel::No);

}  // namespace personascope::judge
