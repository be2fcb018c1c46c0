#include "eval/personagym/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "core/stored_results.hpp"
#include "judge/describe.hpp"

namespace personascope::eval::personagym {
namespace {

using core::Findings;
using core::get_member;
using core::Metric;
using core::Severity;

constexpr std::size_t kMostPersonas = 12;  // that are listed one by one
constexpr std::size_t kLongestName = 60;   // of a persona in a list

// "ready-made for 2 personas, written for 1 persona by a/b".
std::string describe_questions(const Json& exam) {
  std::vector<std::string> sources;
  for (const auto& [source, count] : get_member(exam, "questions").items()) {
    if (!count.is_number_integer()) continue;
    const auto personas = count.get<std::int64_t>();
    std::string from = source == "files" ? "from files" : source;
    if (source == "answers from files") from = "from the files of answers";
    if (source == "written")
      if (const auto writer = find_text(exam, "question_model")) from += " by " + *writer;
    sources.push_back(fmt::format("{} for {} persona{}", from, personas, personas == 1 ? "" : "s"));
  }
  return join(sources, ", ");
}

void add_facts(Findings& findings, const Json& results) {
  findings.add_fact("protocol", find_text(results, "protocol").value_or(""));
  findings.add_fact("model", find_text(results, "model").value_or(""));
  findings.add_fact("judges", join(core::list_texts(results, "judges"), ", "));
  const Json& exam = get_member(results, "exam");
  findings.add_fact("questions", describe_questions(exam));
  findings.add_fact("examples by", find_text(exam, "example_model").value_or(""));
}

Metric read_persona_score(const Json& results) {
  const Json& score = get_member(results, "persona_score");
  Metric metric = core::read_estimate(score, "PersonaScore", "", core::kScoreUnit);
  const Json& outcomes = get_member(results, "outcomes");
  metric.outcomes = core::read_outcome_counts(outcomes);
  metric.n = (*metric.outcomes)[core::Outcome::Scored];
  metric.scale = core::find_interval(results, "scale");
  if (!metric.interval && metric.value) metric.no_interval = "needs 5 personas";
  if (!metric.value) metric.no_interval = find_text(score, "why_no_mean").value_or("");
  return metric;
}

// "mean over 2 personas, standard deviation 0.04; interval: …".
std::string describe_basis(const Json& score) {
  const std::int64_t personas = find_integer(score, "clusters").value_or(0);
  std::string text = fmt::format("mean over {} persona{}", personas, personas == 1 ? "" : "s");
  if (const auto sd = find_number(score, "sd"))
    text += fmt::format(", standard deviation {:.2f}", *sd);
  if (const auto method = find_text(score, "method"); method && find_member(score, "ci95"))
    text += "; interval: " + *method;
  return text;
}

void add_scores(Findings& findings, const Json& results) {
  findings.add_fact("PersonaScore", describe_basis(get_member(results, "persona_score")));
  findings.headline = read_persona_score(results);
  core::MetricList tasks{"Scores", "task", {}, ""};
  const Json& stored = get_member(results, "tasks");
  for (const std::string& name : core::list_texts(results, "task_order")) {
    const Json& task = get_member(stored, name);
    Metric metric = core::read_estimate(task, "score", name, core::kScoreUnit);
    if (!metric.interval && metric.value) metric.no_interval = "needs 5 personas";
    tasks.metrics.push_back(std::move(metric));
  }
  tasks.metrics.push_back(*findings.headline);
  findings.add(std::move(tasks));
}

// Scores that are no part of the PersonaScore: `member` of the results, one row a `heading`.
void add_side_scores(Findings& findings, const Json& results, const char* member,
                     core::MetricList list) {
  for (const Json& row : get_member(results, member)) {
    Metric metric =
        core::read_estimate(row, "score", find_text(row, "name").value_or(""), core::kScoreUnit);
    metric.outcomes = core::read_outcome_counts(get_member(row, "outcomes"));
    metric.scale = core::find_interval(row, "scale");
    if (!metric.interval && metric.value) metric.no_interval = "needs 5 personas";
    if (!metric.value) metric.no_interval = find_text(row, "why_no_mean").value_or("");
    list.metrics.push_back(std::move(metric));
  }
  findings.add(std::move(list));
}

// The same verdicts in the published program's arithmetic.
void add_published(Findings& findings, const Json& results) {
  const Json& reference = get_member(results, "reference");
  const auto score = find_number(reference, "PersonaScore");
  if (!score) return;
  core::Table table{"By the published arithmetic",
                    {{"task", "", false}, {"score", core::kScoreUnit, false}},
                    {},
                    "What the published program would print for the same verdicts."};
  for (const std::string& name : core::list_texts(results, "task_order"))
    table.rows.push_back(
        {{{}, {}, name}, {find_number(get_member(reference, "tasks"), name), {}, ""}});
  table.rows.push_back({{{}, {}, "PersonaScore"}, {score, {}, ""}});
  findings.add(std::move(table));
}

void add_personas(Findings& findings, const Json& results) {
  const Json& personas = get_member(results, "personas");
  if (personas.size() < 2 || personas.size() > kMostPersonas) return;
  core::Table table{
      "By persona", {{"persona", "", false}, {"PersonaScore", core::kScoreUnit, false}}, {}, ""};
  for (const Json& persona : personas)
    table.rows.push_back(
        {{{}, {}, shorten(find_text(persona, "persona").value_or(""), kLongestName)},
         {find_number(persona, "persona_score"), {}, ""}});
  findings.add(std::move(table));
}

}  // namespace

Findings describe_gym(const Json& results) {
  Findings findings;
  findings.evaluation = "gym";
  add_facts(findings, results);
  if (find_member(results, "persona_score")) {
    add_scores(findings, results);
    add_side_scores(findings, results, "beside",
                    {"Beside the tasks",
                     "rubric",
                     {},
                     "How well the persona is played when provoked, on the answers of Toxicity "
                     "Control; not part of the PersonaScore."});
    add_side_scores(findings, results, "probes",
                    {"Probes",
                     "probe",
                     {},
                     "Questions that test one known weakness each; not part of the PersonaScore."});
    add_published(findings, results);
    judge::add_canaries(findings, get_member(results, "canaries"),
                        core::find_interval(results, "scale").value_or(core::Interval{1, 5}));
    add_personas(findings, results);
  }
  core::add_stored_notes(findings, results);
  judge::add_likelihood(findings, get_member(results, "likelihood"));
  core::add_caveats(findings, get_member(results, "persona_score"));
  for (const auto& [name, task] : get_member(results, "tasks").items())
    core::add_caveats(findings, task, name);
  findings.add_fact("files", join(core::list_texts(results, "files"), ", "));
  return findings;
}

}  // namespace personascope::eval::personagym
