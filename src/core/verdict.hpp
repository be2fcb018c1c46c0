// How a judge's reply ended: a score, or a reason why there is none. Never a zero in its place.
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

// What the judge held likely, where its interface tells.
struct ScoreDistribution {
  std::vector<ScoreShare> shares;  // by score, lowest first; sum to 1
  double captured_mass = 0;        // what the labels' probabilities summed to before
  double standard_deviation = 0;
  bool low_mass = false;  // under half, although the verdict was forced: the score stands, flagged
};

struct Verdict {
  VerdictKind kind = VerdictKind::Failed;
  double score = 0;  // of a Score only
  std::optional<ScoreDistribution> distribution;
  Error fault;  // of a Failed only
  // Of a Refused only: the judge says that the judged answer declines. Else the judge itself did.
  bool answer_declines = false;
  std::string text;  // the judge's own words, as they came
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
