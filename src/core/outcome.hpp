// How an item of a run ended: the list of outcomes for evaluations, counts, filters and exports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json.hpp"

namespace personascope::core {

enum class Outcome {
  Answered,   // there is an answer, and nothing grades it
  Scored,     // there is a score
  Abstained,  // the judges could not assess the answer
  Refused,    // the model or its provider declined
  Empty,      // the answer has no text
  Failed,     // an error; its kind says which
};

inline constexpr std::array kOutcomes{Outcome::Answered, Outcome::Scored, Outcome::Abstained,
                                      Outcome::Refused,  Outcome::Empty,  Outcome::Failed};

// "answered", "scored", "abstained", "refused", "empty", "failed".
std::string_view name_of(Outcome outcome);
std::optional<Outcome> find_outcome(std::string_view name);

// How many items ended in which way.
class OutcomeCounts {
 public:
  std::int64_t& operator[](Outcome outcome) { return counts_[static_cast<std::size_t>(outcome)]; }
  std::int64_t operator[](Outcome outcome) const {
    return counts_[static_cast<std::size_t>(outcome)];
  }
  std::int64_t total() const;
  // Answered and scored.
  std::int64_t ok() const { return (*this)[Outcome::Answered] + (*this)[Outcome::Scored]; }

  bool operator==(const OutcomeCounts&) const = default;

 private:
  std::array<std::int64_t, kOutcomes.size()> counts_{};
};

// Every outcome by name, and their sum of answered and scored as "ok".
Json to_json(const OutcomeCounts& counts);
// What is missing counts as 0. "cannot_assess", as verdicts call it, is read as abstained.
OutcomeCounts read_outcome_counts(const Json& value);

}  // namespace personascope::core
