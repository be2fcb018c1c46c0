// The likelihood judge's arithmetic: how much more likely a persona makes an answer, token by
// token. It is computed from likelihoods, so no judge can be influenced by the answer; it is not a
// grade.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace personascope::judge {

// The log-probabilities (nats) of an answer's tokens, read twice by the same model.
struct LiftReading {
  std::vector<double> under_persona;
  std::vector<double> under_neutral;
  std::vector<std::string> tokens;  // may be empty where only the lift is wanted
};

// Mean over the tokens of log p(token | persona) - log p(token | neutral): nats a token. Fails as
// Invalid on no tokens, different lengths, and numbers that are not finite.
Result<double> persona_lift(const LiftReading& reading);

// The part of the summed lift, in nats, that comes from words of the persona's own text (of four
// letters or more): if that is nearly all, the answer only repeats the persona. Fails as
// persona_lift does, and without tokens.
Result<double> parroted_lift(const LiftReading& reading, std::string_view persona);

}  // namespace personascope::judge
