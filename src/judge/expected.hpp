// Expected scores: a verdict as the mean of what the judge held likely, not only its likeliest
// word.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/reply.hpp"
#include "core/verdict.hpp"
#include "judge/scale.hpp"

namespace personascope::judge {

// Whether the judge could have said anything, or only a label.
enum class VerdictWas { Free, Forced };

// Below this captured mass a free verdict is "cannot assess", and a forced one is flagged.
inline constexpr double kLeastMass = 0.5;

// The verdict of a distribution over labels, each given with its log-probability. Variants of a
// label ("4", " 4", "four") add up; words that are no label are left out. No label at all, or
// probabilities that are none, is Failed as Unparsable. `text` is what the verdict keeps.
core::Verdict make_expected_verdict(const Scale& scale, std::span<const core::TokenChoice> labels,
                                    VerdictWas verdict_was, std::string text);

// The likeliest alternatives where the reply says its verdict: at its last token that is a label,
// or else at its first that is not blank. Empty if the reply has no log-probabilities.
std::vector<core::TokenChoice> find_label_choices(const Scale& scale, const core::Reply& reply);

}  // namespace personascope::judge
