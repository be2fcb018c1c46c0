// A judge's verdict: a score, or the reason why there is none. A missing score is never a zero.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/outcome.hpp"

namespace personascope::core {

enum class VerdictKind { Score, CannotAssess, Refused, Failed };

// "score", "cannot_assess", "refused", "failed".
std::string_view name_of(VerdictKind kind);

struct ScoreShare {
  double score = 0;
  double probability = 0;
};

// The judge's probabilities, if its interface returns them.
struct ScoreDistribution {
  std::vector<ScoreShare> shares;  // by score, lowest first; sum to 1
  double captured_mass = 0;        // the sum of the labels' probabilities before scaling
  double standard_deviation = 0;
  bool low_mass = false;  // under half, with only labels allowed: the score counts, flagged
};

struct Verdict {
  VerdictKind kind = VerdictKind::Failed;
  double score = 0;  // of a Score only
  std::optional<ScoreDistribution> distribution;
  Error fault;  // of a Failed only
  // Of a Refused only: true if the judged answer declines, false if the judge itself declined.
  bool answer_declines = false;
  std::string text;  // the judge's reply, unchanged
};

inline bool is_scored(const Verdict& verdict) {
  return verdict.kind == VerdictKind::Score;
}

// How an item with that verdict ended: Scored, Abstained, Refused or Failed.
Outcome outcome_of(const Verdict& verdict);

Verdict make_score(double score, std::string text);
Verdict make_abstention(std::string text);
Verdict make_refusal(std::string text);
// A Refused whose judge says that the answer declines.
Verdict make_declined(std::string text);
Verdict make_failure(Error fault, std::string text = "");

// {"verdict", "score", "distribution", "error", "answer_declines", "text"}; what does not apply is
// absent.
Json to_json(const Verdict& verdict);

}  // namespace personascope::core
