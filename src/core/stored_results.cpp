#include "core/stored_results.hpp"

#include <array>
#include <utility>

namespace personascope::core {

const Json& get_member(const Json& value, std::string_view key) {
  static const Json nothing;
  const Json* member = find_member(value, key);
  return member ? *member : nothing;
}

std::string get_text(const Json& value, std::string_view key) {
  return find_text(value, key).value_or("");
}

std::vector<std::string> list_texts(const Json& value, std::string_view key) {
  std::vector<std::string> texts;
  for (const Json& text : get_member(value, key))
    if (text.is_string()) texts.push_back(text.get<std::string>());
  return texts;
}

Metric read_estimate(const Json& estimate, std::string name, std::string group, std::string unit) {
  Metric metric;
  metric.name = std::move(name);
  metric.group = std::move(group);
  metric.unit = std::move(unit);
  for (const char* member : {"mean", "rate", "value", "delta", "difference"}) {
    metric.value = find_number(estimate, member);
    if (!metric.value) continue;
    metric.is_difference = std::string_view(member).starts_with("d");
    break;
  }
  metric.interval = find_interval(estimate, "ci95");
  if (!metric.interval) metric.interval = find_interval(estimate, "interval");
  metric.n = find_integer(estimate, "n").value_or(find_integer(estimate, "count").value_or(0));
  metric.clusters = find_integer(estimate, "clusters").value_or(0);
  metric.scale = find_interval(estimate, "scale");
  metric.bounds = find_interval(estimate, "bounds");
  metric.p = find_number(estimate, "p");
  metric.adjusted_p = find_number(estimate, "p_holm");
  if (!metric.adjusted_p) metric.adjusted_p = find_number(estimate, "p_max_t");
  if (const Json* outcomes = find_member(estimate, "outcomes"); outcomes && outcomes->is_object())
    metric.outcomes = read_outcome_counts(*outcomes);
  return metric;
}

Metric read_judged_score(const Json& score, std::string name, std::string group) {
  Metric metric =
      read_estimate(get_member(score, "mean"), std::move(name), std::move(group), kScoreUnit);
  metric.bounds = find_interval(score, "bounds");
  metric.outcomes = read_outcome_counts(get_member(score, "counts"));
  if (metric.n == 0) metric.n = (*metric.outcomes)[Outcome::Scored];
  if (!metric.value) metric.no_interval = find_text(score, "why_no_mean").value_or("");
  return metric;
}

void add_caveats(Findings& findings, const Json& estimate, const std::string& subject) {
  for (std::string& caveat : list_texts(estimate, "caveats"))
    findings.add_note(Severity::Warning, std::move(caveat), subject);
}

void add_stored_notes(Findings& findings, const Json& results) {
  for (std::string& note : list_texts(results, "notes"))
    findings.add_note(Severity::Warning, std::move(note));
}

}  // namespace personascope::core
