#include "core/outcome.hpp"

#include <numeric>

namespace personascope::core {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Answered:
      return "answered";
    case Outcome::Scored:
      return "scored";
    case Outcome::Abstained:
      return "abstained";
    case Outcome::Refused:
      return "refused";
    case Outcome::Empty:
      return "empty";
    case Outcome::Failed:
      break;
  }
  return "failed";
}

std::optional<Outcome> find_outcome(std::string_view name) {
  for (const Outcome outcome : kOutcomes)
    if (name_of(outcome) == name) return outcome;
  return std::nullopt;
}

std::int64_t OutcomeCounts::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

Json to_json(const OutcomeCounts& counts) {
  Json value = {{"ok", counts.ok()}};
  for (const Outcome outcome : kOutcomes) value[std::string(name_of(outcome))] = counts[outcome];
  return value;
}

OutcomeCounts read_outcome_counts(const Json& value) {
  OutcomeCounts counts;
  for (const Outcome outcome : kOutcomes)
    counts[outcome] = find_integer(value, name_of(outcome)).value_or(0);
  counts[Outcome::Abstained] += find_integer(value, "cannot_assess").value_or(0);
  return counts;
}

}  // namespace personascope::core
