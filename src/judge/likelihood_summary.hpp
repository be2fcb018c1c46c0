// The summary of a likelihood judge's readings: persona lift and identification, with intervals and
// counts, and compared with the controls if there are any.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "judge/likelihood_judge.hpp"
#include "stats/paired.hpp"

namespace personascope::judge {

// In any order: the numbers do not depend on it.
struct LikelihoodReadings {
  std::string reader;                        // the model that read: it belongs to every figure
  std::vector<std::string> personas;         // their names, for the confusion matrix
  std::vector<PersonaReading> answers;       // each id once
  std::vector<PersonaReading> control;       // the same questions answered without a persona
  std::vector<PersonaReading> content_free;  // the same questions with a content-free answer
};

// One kind of answers: those under test, or a control.
struct LiftSummary {
  stats::Estimate lift;  // nats a token, clustered by persona
  // The part of the lift that comes from words of the persona's text; nothing if there is no lift.
  // Words that the persona makes less likely count against it, so it may leave 0 to 1.
  std::optional<double> parroted_share;
  std::size_t tokens = 0;
  std::optional<Identification> identification;  // nothing where an answer has one candidate only
};

// The answers against a control, over the questions that both have read.
struct ControlComparison {
  LiftSummary control;
  stats::PairedComparison lift;                           // answers minus control
  std::optional<stats::PairedComparison> identification;  // answers minus control
};

struct LikelihoodSummary {
  std::string reader;
  std::vector<std::string> personas;
  LiftSummary answers;
  std::optional<ControlComparison> control;
  std::optional<ControlComparison> content_free;
};

// Fails as Invalid on no answers, an id twice, a persona without a name, a control that shares no
// id with the answers or is about another persona, and scores that are not finite.
Result<LikelihoodSummary> summarize_readings(LikelihoodReadings readings);

// {"reader", "personas", "answers": {"lift", "parroted_share", "tokens", "identification"},
// "control", "content_free", "notes"}; what there is none of is null, and a persona in "confusion"
// is its place in "personas".
Json to_json(const LikelihoodSummary& summary);

}  // namespace personascope::judge
