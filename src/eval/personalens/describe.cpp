#include "eval/personalens/describe.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/text.hpp"
#include "core/stored_results.hpp"
#include "judge/describe.hpp"

namespace personascope::eval::personalens {
namespace {

using core::Findings;
using core::get_member;
using core::Metric;
using core::MetricList;

std::int64_t count_of(const Json& object, const char* member) {
  return find_integer(object, member).value_or(0);
}

// "1 user", "2 users".
std::string render_member(const Json& object, const char* member, std::string_view noun) {
  const std::int64_t count = count_of(object, member);
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "naturalness, assistant".
std::string label_of(const Json& dimension) {
  std::string name = replace_all(find_text(dimension, "dimension").value_or(""), "_", " ");
  if (const auto side = find_text(dimension, "side")) name += ", " + *side;
  return name;
}

const char* unit_of(const Json& scored) {
  return scored.contains("rate") ? core::kShareUnit : core::kScoreUnit;
}

std::string describe_dialogues(const Json& dialogues) {
  std::vector<std::string> parts;
  for (const char* name : {"terminated", "exhausted", "given", "broken"})
    if (count_of(dialogues, name) > 0)
      parts.push_back(fmt::format("{} {}", count_of(dialogues, name), name));
  std::string text = fmt::format("{} ({})", count_of(dialogues, "held"), join(parts, ", "));
  if (const auto mean = find_number(dialogues, "mean_messages"))
    text += fmt::format(", {:.1f} messages on average", *mean);
  return text;
}

// "2 of 30 dialogues flagged: ended early 2".
std::string describe_audit(const Json& audit) {
  if (!audit.is_object()) return "";
  std::vector<std::string> parts;
  for (const auto& [fault, count] : get_member(audit, "faults").items())
    if (count.is_number_integer() && count.get<std::int64_t>() > 0)
      parts.push_back(
          fmt::format("{} {}", replace_all(fault, "_", " "), count.get<std::int64_t>()));
  return fmt::format("{} of {} dialogues flagged{}{}", count_of(audit, "flagged"),
                     count_of(audit, "of"), parts.empty() ? "" : ": ", join(parts, ", "));
}

void add_facts(Findings& findings, const Json& results) {
  findings.add_fact("protocol", find_text(results, "protocol").value_or(""));
  findings.add_fact("model", find_text(results, "model").value_or(""));
  findings.add_fact("user played by", find_text(results, "user_model").value_or(""));
  findings.add_fact("judges", join(core::list_texts(results, "judges"), ", "));
  findings.add_fact("asked", render_member(results, "users", "user") + ", " +
                                 render_member(results, "tasks", "task"));
  findings.add_fact("dialogues", describe_dialogues(get_member(results, "dialogues")));
  findings.add_fact("simulated user", describe_audit(get_member(results, "audit")));
  findings.add_fact("files", find_text(results, "output").value_or(""));
}

void add_dimensions(Findings& findings, const Json& results) {
  MetricList scores{"Scores", "dimension", {}, ""};
  core::Table other{"The same scores otherwise",
                    {{"dimension", "", false},
                     {"without flagged", "", false},
                     {"by the published arithmetic", "", false}},
                    {},
                    ""};
  other.meaning =
      "Without flagged: only dialogues whose simulated user kept to its role (number in brackets).";
  const Json& dimensions = get_member(results, "dimensions");
  for (const std::string& key : core::list_texts(results, "dimension_order")) {
    const Json& row = get_member(dimensions, key);
    const char* unit = unit_of(row);
    Metric metric = core::read_estimate(row, key, label_of(row), unit);
    if (!metric.interval && metric.value) metric.no_interval = "too few users";
    // A dialogue that was not held has no verdict.
    if (metric.outcomes)
      (*metric.outcomes)[core::Outcome::Failed] +=
          count_of(get_member(row, "outcomes"), "no_dialogue");
    if (!findings.headline && (key == "task_completion" || key == "personalization")) {
      findings.headline = metric;
      findings.headline->name = label_of(row);
      findings.headline->group.clear();
    }
    scores.metrics.push_back(std::move(metric));
    const auto render = [&](const Json& scored) {
      const auto value = find_number(scored, unit == core::kShareUnit ? "rate" : "mean");
      if (!value) return std::string("-");
      return unit == core::kShareUnit ? fmt::format("{:.1f} %", 100 * *value)
                                      : fmt::format("{:.2f}", *value);
    };
    const Json& unflagged = get_member(row, "without_flagged");
    other.rows.push_back(
        {{{}, {}, label_of(row)},
         {{}, {}, fmt::format("{} ({})", render(unflagged), count_of(unflagged, "count"))},
         {{}, {}, render(get_member(row, "reference"))}});
    core::add_caveats(findings, row, label_of(row));
  }
  findings.add(std::move(scores));
  findings.add(std::move(other));
}

void add_contexts(Findings& findings, const Json& results) {
  const std::vector<std::string> contexts = core::list_texts(results, "contexts");
  if (contexts.size() < 2) return;
  MetricList scores{"By what the assistant knows", "dimension: context", {}, ""};
  scores.meaning = "Contexts by letter: d demographics, p past interactions, s the situation.";
  MetricList differences{"Against the first context", "dimension: context", {}, ""};
  for (const std::string& key : core::list_texts(results, "dimension_order")) {
    const Json& row = get_member(get_member(results, "dimensions"), key);
    for (const std::string& context : contexts) {
      const Json& own = get_member(get_member(row, "by_context"), context);
      const std::string label = label_of(row) + ": " + context;
      scores.metrics.push_back(core::read_estimate(own, key, label, unit_of(row)));
      if (const Json* against = find_member(own, "against_first"))
        differences.metrics.push_back(core::read_estimate(*against, key, label, unit_of(row)));
    }
  }
  findings.add(std::move(scores));
  findings.add(std::move(differences));
}

void add_turns(Findings& findings, const Json& results) {
  for (const std::string& key : core::list_texts(results, "dimension_order")) {
    const Json& row = get_member(get_member(results, "dimensions"), key);
    core::Curve curve{label_of(row) + " turn by turn", "turn", "score", unit_of(row), {}, ""};
    double turn = 0;
    for (const Json& point : get_member(row, "by_turn")) {
      const Metric score = core::read_estimate(point, "", "", curve.unit);
      ++turn;
      if (score.value) curve.points.push_back({turn, *score.value, score.interval, score.n});
    }
    findings.add(std::move(curve));
  }
}

// What `lens gather RUN` shows at length, a line a group.
void add_gathered(Findings& findings, const Json& results) {
  core::Table table{"Verdicts as files", {{"dimension", "", false}}, {}, ""};
  table.columns.push_back({"judge", "", false});
  table.columns.push_back({"unread", core::kCountUnit, false});
  table.columns.push_back({"rated low", core::kCountUnit, false});
  table.columns.push_back({"distribution", "", false});
  for (const Json& group : get_member(results, "gathered")) {
    std::vector<std::string> shares;
    for (const auto& [label, count] : get_member(group, "distribution").items())
      if (count.is_number_integer())
        shares.push_back(fmt::format("{}: {}", label, count.get<std::int64_t>()));
    const auto number = [&](const char* member) {
      return core::Value{static_cast<double>(count_of(group, member)), {}, ""};
    };
    table.rows.push_back(
        {{{}, {}, label_of(group)},
         {{},
          {},
          find_text(group, find_member(group, "judge_name") ? "judge_name" : "judge").value_or("")},
         number("unread"),
         number("low_rated"),
         {{}, {}, join(shares, ", ")}});
  }
  findings.add(std::move(table));
}

void add_lift(Findings& findings, const Json& lift) {
  if (!lift.is_object()) return;
  findings.add_fact("reader", find_text(lift, "reader").value_or(""));
  MetricList list{"Profile lift", "", {}, ""};
  list.meaning =
      "How much more likely the user's profile makes the assistant's turns, in nats per token, "
      "than "
      "no profile and than another user's.";
  for (const auto& [member, name] :
       {std::pair{"over_neutral", "over no profile"}, {"over_other", "over another user's"}})
    list.metrics.push_back(
        core::read_estimate(get_member(lift, member), "profile lift", name, core::kNatsUnit));
  findings.add(std::move(list));
}

Findings describe_profiles(const Json& results) {
  Findings findings;
  findings.evaluation = "lens profiles";
  findings.add_fact("written", fmt::format("{} with {} in one domain and {} across several",
                                           render_member(results, "users", "user"),
                                           render_member(results, "tasks", "task"),
                                           count_of(results, "multi_tasks")));
  findings.add_fact(
      "summaries",
      fmt::format("{} written by {}, {} kept from the generator", count_of(results, "written"),
                  find_text(results, "model").value_or(""), count_of(results, "kept")));
  findings.add_fact("files", find_text(results, "output").value_or(""));
  return findings;
}

}  // namespace

Findings describe_lens(const Json& results) {
  if (find_text(results, "evaluation") == "lens profiles") return describe_profiles(results);
  Findings findings;
  findings.evaluation = "lens";
  add_facts(findings, results);
  core::add_stored_notes(findings, results);
  add_dimensions(findings, results);
  add_contexts(findings, results);
  add_turns(findings, results);
  add_gathered(findings, results);
  judge::add_canaries(findings, get_member(results, "canaries"), {0, 1});
  add_lift(findings, get_member(results, "lift"));
  return findings;
}

}  // namespace personascope::eval::personalens
