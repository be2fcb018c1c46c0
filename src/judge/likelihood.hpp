// The likelihood judge: how much likelier a persona makes an answer, token by token. It asks
// nothing, so nothing in the answer can talk it round; it is a reading by a model, no grade.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "stats/estimate.hpp"

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

// The share of the summed lift that falls on words of the persona's own text (of four letters or
// more): near 1, the answer parrots. Fails as persona_lift does, without tokens, and where there is
// no lift to share out.
Result<double> parroted_share(const LiftReading& reading, std::string_view persona);

// The mean lift of many answers, clustered by persona.
Result<stats::Estimate> mean_lift(std::span<const double> lifts,
                                  std::span<const std::size_t> personas);

}  // namespace personascope::judge
