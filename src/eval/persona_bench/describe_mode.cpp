// What each mode of the bench found, beside what all of them have.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/stored_results.hpp"
#include "eval/persona_bench/describe.hpp"

namespace personascope::eval::persona_bench {
namespace {

using core::get_member;
using core::get_text;
using core::kShareUnit;
using core::Metric;
using core::MetricList;
using core::read_estimate;
using core::Severity;

void add_main(core::Findings& findings, const Json& results) {
  MetricList scores{"Share of answers that fit their user", "mode", {}, ""};
  MetricList weighted{
      "The same, weighted back to the population",
      "mode",
      {},
      "Small groups are drawn more often than their share; here each persona counts by "
      "its sampling weight."};
  const auto add = [&](const Json& score, const std::string& mode) {
    scores.metrics.push_back(read_estimate(score, "score", mode, kShareUnit));
    const Json* own = find_member(score, "weighted");
    if (!own || !own->is_object()) return;
    Metric metric = read_estimate(*own, "weighted score", mode, kShareUnit);
    if (!metric.interval) metric.no_interval = get_text(*own, "why_no_interval");
    if (!metric.value) metric.no_interval = get_text(*own, "why_no_mean");
    weighted.metrics.push_back(std::move(metric));
  };
  if (const Json* modes = find_member(results, "modes")) {
    for (const Json& mode : *modes) add(get_member(mode, "score"), get_text(mode, "mode"));
  } else {
    add(get_member(results, "score"), get_text(results, "mode"));
  }
  findings.add(std::move(scores));
  findings.add(std::move(weighted));
  add_comparisons(findings, "Differences between modes", get_member(results, "comparisons"));
}

void add_leave_one_out(core::Findings& findings, const Json& results) {
  core::Table scores{"Scores with and without each attribute",
                     {{"left out", "", false},
                      {"with", kShareUnit, false},
                      {"without", kShareUnit, false},
                      {"n", core::kCountUnit, false}},
                     {},
                     ""};
  MetricList effects{"What each attribute adds to the score", "attribute", {}, ""};
  const auto add = [&](const Json& row, const std::string& label) {
    scores.rows.push_back({{{}, {}, label},
                           {find_number(row, "with"), {}, ""},
                           {find_number(row, "without"), {}, ""},
                           {static_cast<double>(find_integer(row, "n").value_or(0)), {}, ""}});
    effects.metrics.push_back(read_estimate(row, "effect", label, kShareUnit));
    effects.metrics.back().is_difference = true;
  };
  for (const Json& row : get_member(results, "attributes")) add(row, get_text(row, "attribute"));
  if (const Json* all = find_member(results, "all_left_out")) add(*all, "(all of these)");
  findings.add(std::move(scores));
  findings.add(std::move(effects));
}

// What each attribute adds to the answers' likelihood, if it was read.
void add_attribute_lifts(core::Findings& findings, const Json& results) {
  const Json* correlation = find_member(results, "rank_correlation");
  if (!correlation) return;
  findings.add_fact("reader", get_text(results, "reader"));
  MetricList lifts{"What each attribute adds to the answer's likelihood", "attribute", {}, ""};
  for (const Json& row : get_member(results, "attributes")) {
    lifts.metrics.push_back(read_estimate(get_member(row, "lift"), "lift",
                                          get_text(row, "attribute"), core::kNatsUnit));
    lifts.metrics.back().is_difference = true;
  }
  std::ranges::stable_sort(lifts.metrics, [](const Metric& one, const Metric& other) {
    return one.value.value_or(-1e9) > other.value.value_or(-1e9);
  });
  if (const auto spearman = find_number(*correlation, "spearman"))
    lifts.meaning = fmt::format(
        "In nats per token. Rank correlation with the order by score: {:.3f} over {} attributes.",
        *spearman, find_integer(*correlation, "attributes").value_or(0));
  findings.add(std::move(lifts));
}

void add_populations(core::Findings& findings, const Json& results) {
  add_main(findings, results);
  MetricList rates{"Rate of each population", "population", {}, ""};
  MetricList gaps{"Each population minus everybody else", "population", {}, ""};
  core::Table shrunk{"Compared with everybody else",
                     {{"population", "", false},
                      {"personas", core::kCountUnit, false},
                      {"rate", kShareUnit, false},
                      {"shrunk", kShareUnit, false},
                      {"others", kShareUnit, false}},
                     {},
                     ""};
  shrunk.meaning = "Shrunk: the rate moved towards the mean of all, the more the fewer personas.";
  for (const Json& row : get_member(results, "populations")) {
    const std::string name = get_text(row, "name");
    Metric rate = read_estimate(row, "rate", name, kShareUnit);
    rate.value = find_number(row, "rate");
    rate.is_difference = false;
    rate.p.reset();
    rate.adjusted_p.reset();
    rate.clusters = find_integer(row, "personas").value_or(0);
    rates.metrics.push_back(std::move(rate));
    Metric gap = read_estimate(row, "gap", name, kShareUnit);
    gap.value = find_number(row, "delta");
    gap.interval = core::find_interval(row, "gap_ci95");
    gap.is_difference = true;
    gaps.metrics.push_back(std::move(gap));
    shrunk.rows.push_back({{{}, {}, name},
                           {static_cast<double>(find_integer(row, "personas").value_or(0)), {}, ""},
                           {find_number(row, "rate"), {}, ""},
                           {find_number(row, "shrunk"), {}, ""},
                           {find_number(get_member(row, "complement"), "rate"), {}, ""}});
  }
  findings.add(std::move(rates));
  findings.add(std::move(shrunk));
  findings.add(std::move(gaps));
  for (const Json& overlap : get_member(results, "overlaps")) {
    const auto names = core::list_texts(overlap, "populations");
    if (names.size() == 2)
      findings.add_note(Severity::Info, fmt::format("{} personas are in both {} and {}.",
                                                    find_integer(overlap, "personas").value_or(0),
                                                    names[0], names[1]));
  }
}

core::Curve read_curve(const Json& rows, std::string title, std::string y_name,
                       std::string meaning) {
  core::Curve curve{std::move(title), "k", std::move(y_name), kShareUnit, {}, std::move(meaning)};
  for (const Json& row : rows)
    if (const auto value = find_number(row, "value"))
      curve.points.push_back({find_number(row, "k").value_or(0), *value,
                              core::find_interval(row, "ci95"),
                              find_integer(row, "n").value_or(0)});
  return curve;
}

void add_pass_at_k(core::Findings& findings, const Json& results) {
  findings.add(read_curve(get_member(results, "pass_at_k"), "pass@k", "pass@k",
                          "The share of pairs for which at least one of k drafts passes."));
  findings.add(read_curve(get_member(results, "pass_hat_k"), "pass^k", "pass^k",
                          "The share of pairs for which all of k drafts pass."));
  const Json& attempts = get_member(results, "attempts");
  if (!attempts.is_object()) return;
  const Json& first = get_member(attempts, "first_success");
  MetricList list{"Drafts until one passes", "", {}, ""};
  list.metrics.push_back(read_estimate(attempts, "drafts", "", core::kNumberUnit));
  list.meaning = fmt::format("At most {} drafts; none passed for {} of {} pairs.",
                             find_integer(results, "drafts").value_or(0),
                             find_integer(first, "never").value_or(0),
                             find_integer(first, "pairs").value_or(0));
  findings.add(std::move(list));
}

void add_comparison(core::Findings& findings, const Json& results) {
  MetricList scores{"Share of answers", "answers", {}, ""};
  const auto add = [&](const std::string& name, const Json& score) {
    scores.metrics.push_back(read_estimate(score, "share", name, kShareUnit));
  };
  add("right for the user", get_member(results, "score"));
  for (const Json& kind : get_member(results, "kinds"))
    add("of kind " + get_text(kind, "kind"), kind);
  const Json& consistency = get_member(results, "consistency");
  add("right for both users", get_member(consistency, "both_right"));
  add("the same for both", get_member(consistency, "same_answer"));
  add("each right for the other", get_member(consistency, "swapped"));
  add("control: user not shown", get_member(results, "control"));
  findings.add(std::move(scores));
  MetricList lift{"Over the control", "", {}, ""};
  lift.metrics.push_back(read_estimate(get_member(results, "lift"), "difference",
                                       "right, minus the control", kShareUnit));
  findings.add(std::move(lift));
}

}  // namespace

void add_mode(core::Findings& findings, const Json& results) {
  if (findings.evaluation == "bench/main") add_main(findings, results);
  if (findings.evaluation == "bench/loo") {
    add_leave_one_out(findings, results);
    add_attribute_lifts(findings, results);
  }
  if (findings.evaluation == "bench/intersectionality") add_populations(findings, results);
  if (findings.evaluation == "bench/pass-at-k") add_pass_at_k(findings, results);
  if (findings.evaluation == "bench/comparison") add_comparison(findings, results);
}

}  // namespace personascope::eval::persona_bench
