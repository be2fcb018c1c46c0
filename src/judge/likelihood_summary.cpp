#include "judge/likelihood_summary.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "judge/summary.hpp"
#include "stats/clustered.hpp"
#include "stats/sum.hpp"

namespace personascope::judge {
namespace {

constexpr const char* kOneCandidate =
    "an answer was read under only one persona; identification needs two";

using Readings = std::vector<PersonaReading>;

std::vector<double> lifts_of(const Readings& readings) {
  std::vector<double> lifts;
  for (const PersonaReading& reading : readings) lifts.push_back(reading.lift());
  return lifts;
}

std::vector<std::size_t> personas_of(const Readings& readings) {
  std::vector<std::size_t> personas;
  for (const PersonaReading& reading : readings) personas.push_back(reading.persona);
  return personas;
}

// By id, so that no order of completion shows in a sum.
Result<void> sort_by_id(Readings& readings, std::size_t personas) {
  std::ranges::sort(readings, {}, &PersonaReading::id);
  const auto twin = std::ranges::adjacent_find(readings, {}, &PersonaReading::id);
  if (twin != readings.end())
    return fail(ErrorKind::Invalid, "the answer \"{}\" was read twice", printable(twin->id));
  for (const PersonaReading& reading : readings)
    if (reading.candidates.empty() || reading.persona >= personas)
      return fail(ErrorKind::Invalid, "the answer \"{}\" was not read under its persona",
                  printable(reading.id));
  return {};
}

Result<LiftSummary> sum_up(const Readings& readings, std::size_t personas) {
  LiftSummary summary;
  ASSIGN_OR_RETURN(summary.lift, stats::clustered_mean(lifts_of(readings), personas_of(readings)));
  stats::Sum lifted;
  stats::Sum parroted;
  bool can_identify = true;
  std::vector<ScoredAnswer> scored;
  for (const PersonaReading& reading : readings) {
    summary.tokens += reading.tokens;
    lifted.add(reading.lift() * stats::real(reading.tokens));
    parroted.add(reading.parroted * stats::real(reading.tokens));
    can_identify = can_identify && reading.candidates.size() > 1;
    scored.push_back({reading.persona, reading.candidates});
    for (Candidate& candidate : scored.back().candidates) candidate.score -= reading.neutral;
  }
  if (lifted.value() > 0) summary.parroted_share = parroted.value() / lifted.value();
  if (can_identify) {
    ASSIGN_OR_RETURN(summary.identification, identify(scored, personas));
  }
  return summary;
}

// The answers that the control has read too, and the control's readings, both in one order.
Result<void> keep_common(Readings& answers, Readings& control) {
  Readings kept_answers;
  Readings kept_control;
  for (PersonaReading& answer : answers) {
    const auto found = std::ranges::lower_bound(control, answer.id, {}, &PersonaReading::id);
    if (found == control.end() || found->id != answer.id) continue;
    if (found->persona != answer.persona)
      return fail(ErrorKind::Invalid, "the control of \"{}\" is about another persona",
                  printable(answer.id));
    kept_answers.push_back(std::move(answer));
    kept_control.push_back(std::move(*found));
  }
  if (kept_answers.empty())
    return fail(ErrorKind::Invalid, "no answer of the control has the id of an answer");
  answers = std::move(kept_answers);
  control = std::move(kept_control);
  return {};
}

Result<std::optional<ControlComparison>> compare(Readings answers, Readings control,
                                                 std::size_t personas) {
  if (control.empty()) return std::optional<ControlComparison>{};
  RETURN_IF_ERROR(sort_by_id(control, personas));
  RETURN_IF_ERROR(keep_common(answers, control));
  ControlComparison comparison;
  ASSIGN_OR_RETURN(comparison.control, sum_up(control, personas));
  const std::vector<std::size_t> clusters = personas_of(answers);
  ASSIGN_OR_RETURN(comparison.lift,
                   stats::compare_paired(lifts_of(control), lifts_of(answers), clusters));
  ASSIGN_OR_RETURN(const LiftSummary common, sum_up(answers, personas));
  if (common.identification && comparison.control.identification) {
    ASSIGN_OR_RETURN(
        comparison.identification,
        compare_with_control(*common.identification, *comparison.control.identification, clusters));
  }
  return std::optional(std::move(comparison));
}

Json describe(const Identification& found) {
  Json cells = Json::array();
  for (const auto& [pair, count] : found.confusion)
    cells.push_back({{"persona", pair.first}, {"named", pair.second}, {"count", count}});
  return {{"accuracy", to_json(found.accuracy)},
          {"reciprocal_rank", to_json(found.reciprocal_rank)},
          {"chance_accuracy", found.chance_accuracy},
          {"chance_reciprocal_rank", found.chance_reciprocal_rank},
          {"confusion", cells}};
}

Json describe(const LiftSummary& summary) {
  Json value = {{"lift", to_json(summary.lift)},
                {"parroted_share", nullptr},
                {"tokens", summary.tokens},
                {"identification", nullptr}};
  if (summary.parroted_share) value["parroted_share"] = *summary.parroted_share;
  if (summary.identification)
    value["identification"] = describe(*summary.identification);
  else
    value["why_no_identification"] = kOneCandidate;
  return value;
}

Json describe(const stats::PairedComparison& comparison) {
  Json value = to_json(comparison.difference);
  value["p_value"] = comparison.p_value ? Json(*comparison.p_value) : Json(nullptr);
  value["minimum_detectable"] =
      comparison.minimum_detectable ? Json(*comparison.minimum_detectable) : Json(nullptr);
  return value;
}

Json describe(const std::optional<ControlComparison>& comparison) {
  if (!comparison) return nullptr;
  Json value = describe(comparison->control);
  value["lift_difference"] = describe(comparison->lift);
  value["accuracy_difference"] = nullptr;
  if (comparison->identification)
    value["accuracy_difference"] = describe(*comparison->identification);
  else
    value["why_no_accuracy_difference"] = kOneCandidate;
  return value;
}

std::vector<std::string> list_notes(const LikelihoodSummary& summary) {
  std::vector<std::string> notes{
      fmt::format("These are likelihoods computed by {}, not grades: they say whether the persona "
                  "shows in the answers, not whether the answers are good.",
                  summary.reader)};
  if (const auto share = summary.answers.parroted_share)
    notes.push_back(fmt::format("{:.0f} % of the lift comes from words of the persona's own text{}",
                                *share * 100, *share > 0.5 ? ": the answers repeat it." : "."));
  if (!summary.control)
    notes.emplace_back(
        "There is no control (`control`), so it is not known how much the questions alone reveal "
        "the persona.");
  return notes;
}

}  // namespace

Result<LikelihoodSummary> summarize_readings(LikelihoodReadings readings) {
  LikelihoodSummary summary;
  const std::size_t personas = readings.personas.size();
  RETURN_IF_ERROR(sort_by_id(readings.answers, personas));
  ASSIGN_OR_RETURN(summary.answers, sum_up(readings.answers, personas));
  ASSIGN_OR_RETURN(summary.control,
                   compare(readings.answers, std::move(readings.control), personas));
  ASSIGN_OR_RETURN(summary.content_free, compare(std::move(readings.answers),
                                                 std::move(readings.content_free), personas));
  summary.reader = std::move(readings.reader);
  summary.personas = std::move(readings.personas);
  return summary;
}

Json to_json(const LikelihoodSummary& summary) {
  return {{"reader", summary.reader},
          {"personas", summary.personas},
          {"answers", describe(summary.answers)},
          {"control", describe(summary.control)},
          {"content_free", describe(summary.content_free)},
          {"notes", list_notes(summary)}};
}

}  // namespace personascope::judge
