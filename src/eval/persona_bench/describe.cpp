#include "eval/persona_bench/describe.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/text.hpp"
#include "core/stored_results.hpp"
#include "judge/describe.hpp"

namespace personascope::eval::persona_bench {
namespace {

using core::get_member;
using core::get_text;
using core::kShareUnit;
using core::MetricList;
using core::read_estimate;
using core::Severity;

constexpr std::size_t kContradictionsShown = 5;

std::string describe_shown(const std::string& shown) {
  if (shown == "own_persona") return "the user's own";
  if (shown == "no_persona") return "control: none";
  return "control: another's";
}

// The critics beside each other, if there were several.
void add_critics(core::Findings& findings, const Json& results) {
  MetricList critics{"Scores by critic", "critic", {}, ""};
  for (const Json& critic : get_member(results, "critics"))
    critics.metrics.push_back(read_estimate(get_member(critic, "score"), "score",
                                            get_text(critic, "critic"), kShareUnit));
  findings.add(std::move(critics));
  add_comparisons(findings, "Differences between critics",
                  get_member(results, "critic_comparisons"));
}

void add_controls(core::Findings& findings, const Json& results) {
  const Json& controls = get_member(results, "controls");
  const auto add_measure = [&](const char* member, const char* differences, const char* title,
                               const char* unit) {
    MetricList list{title, "persona shown", {}, ""};
    for (const Json& row : get_member(controls, "answers")) {
      const Json& measure = get_member(row, member);
      if (measure.is_object())
        list.metrics.push_back(
            read_estimate(measure, member, describe_shown(get_text(row, "shown")), unit));
    }
    findings.add(std::move(list));
    MetricList compared{fmt::format("{}: own minus control", title), "control", {}, ""};
    for (const Json& row : get_member(controls, differences))
      compared.metrics.push_back(
          read_estimate(row, "difference", describe_shown(get_text(row, "first")), unit));
    findings.add(std::move(compared));
  };
  add_measure("score", "comparisons", "Scores by the persona that the model was shown", kShareUnit);
  if (find_member(controls, "lift_comparisons"))
    add_measure("lift", "lift_comparisons", "Persona lift by the persona that the model was shown",
                core::kNatsUnit);
}

// What the published package would have printed.
void add_published(core::Findings& findings, const Json& results) {
  core::Table table{"By the published arithmetic",
                    {{"answers", "", false},
                     {"accuracy", kShareUnit, false},
                     {"bootstrap_std", core::kNumberUnit, false},
                     {"n", core::kCountUnit, false}},
                    {},
                    ""};
  MetricList ours{"The same scores with clustered intervals", "answers", {}, ""};
  const auto add = [&](const Json& row, const std::string& label) {
    table.rows.push_back({{{}, {}, label},
                          {find_number(row, "accuracy"), {}, ""},
                          {find_number(row, "bootstrap_std"), {}, ""},
                          {static_cast<double>(find_integer(row, "n").value_or(0)), {}, ""}});
    ours.metrics.push_back(read_estimate(get_member(row, "score"), "score", label, kShareUnit));
  };
  add(results, "all");
  if (const Json* baseline = find_member(results, "baseline")) add(*baseline, "all left out");
  for (const Json& row : get_member(results, "attributes"))
    add(row, "without " + get_text(row, "attribute"));
  for (const Json& row : get_member(results, "populations")) add(row, get_text(row, "name"));
  findings.add(std::move(table));
  findings.add(std::move(ours));
  core::Curve curve{"cum_score by the published arithmetic", "k", "cum_score", kShareUnit, {}, ""};
  for (const Json& point : get_member(results, "cum_score"))
    if (const auto value = find_number(point, "value"))
      curve.points.push_back({find_number(point, "k").value_or(0), *value, {}, 0});
  findings.add(std::move(curve));
}

// "18 answers: 16 scored, 2 failed".
std::string describe_outcomes(const core::OutcomeCounts& counts, std::string_view noun) {
  std::vector<std::string> parts;
  for (const core::Outcome outcome : core::kOutcomes)
    if (counts[outcome] > 0)
      parts.push_back(fmt::format("{} {}", counts[outcome], core::name_of(outcome)));
  return fmt::format("{} {}{}{}{}", counts.total(), noun, counts.total() == 1 ? "" : "s",
                     parts.empty() ? "" : ": ", join(parts, ", "));
}

// The answers' outcomes and those of their controls, which are in no mean of theirs.
void add_outcomes(core::Findings& findings, const Json& results) {
  const Json* outcomes = find_member(results, "outcomes");
  if (!outcomes) return;
  findings.add_fact("answers", describe_outcomes(core::read_outcome_counts(*outcomes), "answer"));
  core::OutcomeCounts controls;
  for (const Json& row : get_member(get_member(results, "controls"), "answers")) {
    if (get_text(row, "shown") == "own_persona") continue;
    const core::OutcomeCounts own = core::read_outcome_counts(get_member(row, "outcomes"));
    for (const core::Outcome outcome : core::kOutcomes) controls[outcome] += own[outcome];
  }
  if (controls.total() > 0)
    findings.add_fact("controls", describe_outcomes(controls, "control answer"));
  findings.add_fact("intervals",
                    "clustered by " + find_text(results, "clustered_by").value_or("pair"));
  if (const Json* quotes = find_member(results, "quotes"))
    findings.add_fact("quoted", fmt::format("{} of {} answers repeat attributes of their user word "
                                            "for word",
                                            find_integer(*quotes, "quoting").value_or(0),
                                            find_integer(*quotes, "answers").value_or(0)));
}

void add_all_caveats(core::Findings& findings, const Json& results) {
  core::add_caveats(findings, get_member(results, "score"));
  for (const Json& mode : get_member(results, "modes"))
    core::add_caveats(findings, get_member(mode, "score"), get_text(mode, "mode"));
}

// Personas that a model wrote, and how diverse they are.
core::Findings describe_personas(const Json& results) {
  core::Findings findings;
  findings.evaluation = "bench/personas";
  const auto count = [&](const char* member) { return find_integer(results, member).value_or(0); };
  findings.add_fact(
      "personas", fmt::format("{}, {} of them duplicates", count("personas"), count("duplicates")));
  findings.add_fact(
      "dropped", fmt::format("{} of {} for a contradiction; {} refused, {} failed",
                             count("dropped"), count("asked"), count("refused"), count("failed")));
  core::Table table{"Diversity",
                    {{"attribute", "", false},
                     {"values", core::kCountUnit, false},
                     {"possible", core::kCountUnit, false},
                     {"coverage", core::kNumberUnit, false},
                     {"evenness", core::kNumberUnit, false}},
                    {},
                    ""};
  for (const Json& row : get_member(results, "attributes")) {
    std::vector<core::Value> cells{{{}, {}, get_text(row, "attribute")}};
    for (const char* member : {"distinct", "possible", "coverage", "evenness"})
      cells.push_back({find_number(row, member), {}, ""});
    table.rows.push_back(std::move(cells));
  }
  findings.add(std::move(table));
  std::size_t shown = 0;
  for (const Json& one : get_member(results, "contradictions")) {
    if (shown++ == kContradictionsShown) break;
    const std::string why = get_text(one, "why");
    findings.add_note(Severity::Info, why.substr(0, why.find('\n')), get_text(one, "persona"));
  }
  findings.add_fact("files", get_text(results, "output"));
  return findings;
}

}  // namespace

void add_comparisons(core::Findings& findings, std::string title, const Json& rows) {
  MetricList compared{std::move(title), "second minus first", {}, ""};
  for (const Json& row : rows)
    compared.metrics.push_back(read_estimate(
        row, "difference", fmt::format("{} - {}", get_text(row, "second"), get_text(row, "first")),
        kShareUnit));
  findings.add(std::move(compared));
}

core::Findings describe_bench(const Json& results) {
  const std::string evaluation = get_text(results, "evaluation");
  if (evaluation == "bench/personas") return describe_personas(results);
  core::Findings findings;
  findings.evaluation = evaluation;
  findings.add_fact("model", get_text(results, "model"));
  findings.add_fact("judge", get_text(results, "judge"));
  if (const Json* score = find_member(results, "score")) {
    findings.headline = read_estimate(*score, "score", "", kShareUnit);
    findings.headline->scale = core::Interval{0, 1};
  }
  add_outcomes(findings, results);
  core::add_stored_notes(findings, results);
  if (find_text(results, "protocol") == "reference") {
    findings.add_fact("protocol", "reference");
    add_published(findings, results);
    return findings;
  }
  add_mode(findings, results);
  add_critics(findings, results);
  add_controls(findings, results);
  judge::add_canaries(findings, get_member(results, "canaries"), {0, 1});
  add_all_caveats(findings, results);
  return findings;
}

}  // namespace personascope::eval::persona_bench
