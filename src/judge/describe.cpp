#include "judge/describe.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "core/stored_results.hpp"

namespace personascope::judge {
namespace {

using core::Findings;
using core::get_member;
using core::Metric;
using core::MetricList;
using core::read_estimate;
using core::Severity;

constexpr std::size_t kMostPersonas = 12;  // of a matrix

std::string label_of(const Json& judge) {
  if (auto name = find_text(judge, "judge")) return *std::move(name);
  return find_text(judge, "critic").value_or("");
}

void add_scores(Findings& findings, const Json& results) {
  MetricList scores{"Scores", "judge", {}, ""};
  MetricList calibrated{"Scores with the judge's prior divided out", "judge", {}, ""};
  calibrated.meaning =
      "What remains of a judge's scores after its leaning towards some scores, measured on an "
      "empty answer, is taken out.";
  MetricList gaps{"Effect of the order of the labels", "judge", {}, ""};
  gaps.meaning = "Mean score with the labels in order, minus that with the labels reversed.";
  const Json& judges = get_member(results, "judges");
  const bool is_panel = judges.size() > 1;
  for (const Json& judge : judges) {
    const std::string name = label_of(judge);
    scores.metrics.push_back(core::read_judged_score(judge, "score", name));
    if (const Json* own = find_member(judge, "prior_divided_out"))
      calibrated.metrics.push_back(
          read_estimate(get_member(*own, "mean"), "score", name, core::kScoreUnit));
    if (const Json* gap = find_member(judge, "order_gap")) {
      gaps.metrics.push_back(read_estimate(*gap, "order gap", name, core::kScoreUnit));
      gaps.metrics.back().is_difference = true;
    }
  }
  findings.headline = core::read_judged_score(get_member(results, "score"), "score", "");
  findings.headline->scale = core::find_interval(results, "scale");
  if (is_panel) {
    scores.metrics.push_back(*findings.headline);
    scores.metrics.back().group = "panel";
  }
  findings.add(std::move(scores));
  findings.add(std::move(calibrated));
  findings.add(std::move(gaps));
}

void add_panel(Findings& findings, const Json& panel) {
  if (!panel.is_object()) return;
  MetricList list{"The judges as a panel", "", {}, ""};
  list.meaning =
      "Krippendorff's alpha: 1 is full agreement, 0 is what chance gives. Independent "
      "votes: the panel is worth at least this many judges with unrelated errors.";
  const auto add = [&](const char* member, const char* name, const char* reason) {
    if (const Json* estimate = find_member(panel, member))
      list.metrics.push_back(read_estimate(*estimate, name, "", core::kNumberUnit));
    else if (auto why = find_text(panel, reason))
      findings.add_note(Severity::Info, *std::move(why), name);
  };
  add("agreement", "Krippendorff's alpha", "why_no_agreement");
  add("effective_votes_at_least", "independent votes", "why_no_effective_votes_at_least");
  findings.add(std::move(list));
  findings.add_fact("panel", find_text(panel, "rule").value_or("") + " of the judges");
  if (const auto escalated = find_integer(panel, "escalated").value_or(0); escalated > 0)
    findings.add_fact("escalated", fmt::format("{} items", escalated));
}

void add_judge_caveats(Findings& findings, const Json& results) {
  const Json& judges = get_member(results, "judges");
  for (const Json& judge : judges) {
    const std::string name = judges.size() > 1 ? label_of(judge) : "";
    core::add_caveats(findings, get_member(judge, "mean"), name);
    core::add_caveats(findings, get_member(get_member(judge, "prior_divided_out"), "mean"), name);
    core::add_caveats(findings, get_member(judge, "order_gap"), name);
  }
  core::add_caveats(findings, get_member(get_member(results, "score"), "mean"));
  core::add_caveats(findings, get_member(get_member(results, "panel"), "agreement"), "agreement");
}

struct Side {
  const char* member;
  const char* name;
};
// A likelihood summary's answers, and the controls beside them.
constexpr Side kSides[] = {
    {"answers", "answers"}, {"control", "no persona"}, {"content_free", "content-free"}};

void add_lifts(Findings& findings, const Json& results) {
  MetricList lifts{"Persona lift", "", {}, ""};
  lifts.meaning =
      "How much more likely the persona makes the answer, in nats per token (natural logarithm of "
      "the ratio). Computed from likelihoods; the answer cannot influence the reader.";
  MetricList named{"Identification", "", {}, ""};
  named.meaning =
      "How often the answer fits its own persona better than all others (reciprocal rank: 1 if it "
      "always comes first).";
  for (const Side& side : kSides) {
    const Json& own = get_member(results, side.member);
    if (!own.is_object()) continue;
    lifts.metrics.push_back(
        read_estimate(get_member(own, "lift"), "lift", side.name, core::kNatsUnit));
    if (const Json* found = find_member(own, "identification")) {
      named.metrics.push_back(read_estimate(get_member(*found, "accuracy"), "named right",
                                            fmt::format("{}: named right", side.name),
                                            core::kShareUnit));
      named.metrics.push_back(
          read_estimate(get_member(*found, "reciprocal_rank"), "mean reciprocal rank",
                        fmt::format("{}: reciprocal rank", side.name), core::kNumberUnit));
    }
    const auto add_difference = [&](MetricList& list, const char* member, const char* unit) {
      const Json* difference = find_member(own, member);
      if (!difference) return;
      list.metrics.push_back(read_estimate(*difference, "difference",
                                           fmt::format("answers minus {}", side.name), unit));
      list.metrics.back().is_difference = true;
    };
    add_difference(lifts, "lift_difference", core::kNatsUnit);
    add_difference(named, "accuracy_difference", core::kShareUnit);
  }
  const Json& answers = get_member(results, "answers");
  const Json& identification = get_member(answers, "identification");
  const auto add_chance = [&](const char* member, const char* name, const char* unit) {
    Metric chance;
    chance.name = chance.group = name;
    chance.unit = unit;
    chance.value = find_number(identification, member);
    if (chance.value) named.metrics.push_back(std::move(chance));
  };
  add_chance("chance_accuracy", "by chance: named right", core::kShareUnit);
  add_chance("chance_reciprocal_rank", "by chance: reciprocal rank", core::kNumberUnit);
  findings.add(std::move(lifts));
  findings.add(std::move(named));
  core::add_caveats(findings, get_member(answers, "lift"));
  if (auto why = find_text(answers, "why_no_identification"))
    findings.add_note(Severity::Info, *std::move(why), "identification");
}

void add_confusion(Findings& findings, const Json& results) {
  const Json& confusion =
      get_member(get_member(get_member(results, "answers"), "identification"), "confusion");
  const std::vector<std::string> personas = core::list_texts(results, "personas");
  std::map<std::pair<std::size_t, std::size_t>, double> cells;
  std::set<std::size_t> shown;
  for (const Json& cell : confusion) {
    const auto truth = find_integer(cell, "persona");
    const auto named = find_integer(cell, "named");
    const auto last = std::ssize(personas);
    if (!truth || !named || *truth < 0 || *named < 0 || *truth >= last || *named >= last) continue;
    const auto place =
        std::pair(static_cast<std::size_t>(*truth), static_cast<std::size_t>(*named));
    cells[place] = find_number(cell, "count").value_or(0);
    shown.insert({place.first, place.second});
  }
  if (shown.size() > kMostPersonas) {
    findings.add_note(Severity::Info,
                      fmt::format("The table of who was taken for whom has {} personas and is in "
                                  "the JSON output.",
                                  shown.size()));
    return;
  }
  core::Matrix matrix{"Who was taken for whom", "persona", "named", {}, {}, {}, ""};
  for (const std::size_t truth : shown) {
    matrix.rows.push_back(personas[truth]);
    matrix.columns.push_back(personas[truth]);
    std::vector<double>& row = matrix.cells.emplace_back();
    for (const std::size_t named : shown) {
      const auto cell = cells.find({truth, named});
      row.push_back(cell == cells.end() ? 0 : cell->second);
    }
  }
  findings.add(std::move(matrix));
}

}  // namespace

void add_canaries(Findings& findings, const Json& canaries, const core::Interval& scale) {
  MetricList list{"Canary check: what judges gave worthless test answers", "judge", {}, ""};
  list.meaning = "As a share of full marks; a sound judge gives about 0 %.";
  for (const Json& row : canaries) {
    Metric metric;
    metric.name = "canaries";
    metric.group = label_of(row);
    metric.unit = core::kShareUnit;
    if (const auto mean = find_number(row, "mean"); mean && scale.high > scale.low)
      metric.value = (*mean - scale.low) / (scale.high - scale.low);
    const Json& counts = find_member(row, "counts") ? get_member(row, "counts") : row;
    metric.n = find_integer(counts, "scored").value_or(0);
    list.metrics.push_back(std::move(metric));
  }
  findings.add(std::move(list));
}

Findings describe_judging(const Json& results) {
  Findings findings;
  findings.evaluation = "judge";
  const Json& rubric = get_member(results, "rubric");
  findings.add_fact("rubric", fmt::format("{} (version {})", find_text(rubric, "name").value_or(""),
                                          find_text(rubric, "version").value_or("?")));
  if (const auto scale = core::find_interval(results, "scale"))
    findings.add_fact("scale", fmt::format("{} to {}", scale->low, scale->high));
  const Json& score = get_member(results, "score");
  if (const Json* mean = find_member(score, "mean"))
    findings.add_fact("interval", fmt::format("{}, {} items in {} groups",
                                              find_text(*mean, "method").value_or(""),
                                              find_integer(*mean, "n").value_or(0),
                                              find_integer(*mean, "clusters").value_or(0)));
  add_scores(findings, results);
  add_panel(findings, get_member(results, "panel"));
  Json canaries = Json::array();
  for (const Json& judge : get_member(results, "judges"))
    if (const Json* own = find_member(judge, "canaries"); own && own->is_object()) {
      canaries.push_back(*own);
      canaries.back()["judge"] = label_of(judge);
    }
  add_canaries(findings, canaries,
               core::find_interval(results, "scale").value_or(core::Interval{0, 1}));
  core::add_stored_notes(findings, results);
  add_judge_caveats(findings, results);
  return findings;
}

void add_likelihood(Findings& findings, const Json& likelihood) {
  if (!likelihood.is_object()) return;
  findings.add_fact("reader", find_text(likelihood, "reader").value_or(""));
  if (auto why = find_text(likelihood, "why_none"))
    findings.add_note(Severity::Info, *std::move(why), "persona lift");
  add_lifts(findings, likelihood);
  add_confusion(findings, likelihood);
  core::add_stored_notes(findings, likelihood);
}

Findings describe_lift(const Json& results) {
  Findings findings;
  findings.evaluation = "lift";
  add_likelihood(findings, results);
  if (auto why = find_text(results, "why_no_summary"))
    findings.add_note(Severity::Warning, *std::move(why));
  const Json& lift = get_member(get_member(results, "answers"), "lift");
  if (lift.is_object())
    findings.headline = read_estimate(lift, "persona lift", "", core::kNatsUnit);
  return findings;
}

}  // namespace personascope::judge
