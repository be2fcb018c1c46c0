#include "eval/persona_bench/trial_line.hpp"

#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {
namespace {

// Score and critique, or why there is none.
void add_verdict(const core::Verdict& verdict, Json& line) {
  if (core::is_scored(verdict)) {
    line["score"] = verdict.score;
    const auto critique = llm::find_json(verdict.text);
    line["critique"] = critique ? *critique : Json(verdict.text);
  }
  if (verdict.kind == core::VerdictKind::Failed)
    line["error"] = {{"kind", name_of(verdict.fault.kind)}, {"message", verdict.fault.message}};
}

}  // namespace

std::string_view outcome_of(const core::Verdict& verdict) {
  return core::is_scored(verdict) ? "scored" : core::name_of(verdict.kind);
}

std::string render_trial_line(const BenchData& data, const std::vector<CriticKind>& critics,
                              const Trial& trial, const Graded& graded) {
  const core::Verdict& verdict = graded.verdict;
  Json line = {{"id", trial.id},
               {"persona", data.personas[trial.persona].id},
               {"question_id", data.questions[trial.question].id},
               {"question", data.questions[trial.question].text},
               {"mode", name_of(trial.mode)},
               {"epoch", trial.epoch},
               {"answer", graded.answer.text},
               {"outcome", outcome_of(verdict)}};
  if (trial.shown != Shown::Own) line["control"] = name_of(trial.shown);
  if (trial.shown == Shown::Anothers) line["shown"] = data.personas[trial.other].id;
  if (!graded.quotes.empty()) line["quotes"] = graded.quotes;
  if (graded.lift) line["lift"] = graded.lift->over_nobody;
  if (graded.lift && !graded.lift->by_attribute.empty())
    line["lift_by_attribute"] = graded.lift->by_attribute;
  if (graded.unread) line["unread"] = graded.unread->message;
  if (!trial.without.empty()) line["without"] = trial.without;
  if (!graded.answer.thoughts.empty()) line["thoughts"] = graded.answer.thoughts;
  add_verdict(verdict, line);
  if (!graded.further.empty()) {
    line["critics"] = Json::object();
    for (std::size_t i = 0; i < critics.size(); ++i) {
      const core::Verdict& one = i == 0 ? verdict : graded.further[i - 1];
      Json& entry = line["critics"][std::string(name_of(critics[i]))];
      entry["outcome"] = outcome_of(one);
      add_verdict(one, entry);
    }
  }
  return render_json(line);
}

ItemRecord make_record(std::int64_t index, std::string id, const core::Verdict& verdict,
                       const Json& scores) {
  ItemRecord record;
  record.index = index;
  record.item = std::move(id);
  if (verdict.kind == core::VerdictKind::Refused) record.outcome = core::Outcome::Refused;
  if (verdict.kind == core::VerdictKind::Failed) {
    record.outcome = core::Outcome::Failed;
    record.error = verdict.fault.kind;
    record.detail = fmt::format("{}: {}", name_of(verdict.fault.kind), verdict.fault.message);
  }
  if (core::is_scored(verdict)) record.detail = render_json(scores);
  return record;
}

ItemRecord make_trial_record(const BenchData& data, const std::vector<CriticKind>& critics,
                             const Trial& trial, const Graded& graded, std::int64_t index) {
  Json scores = {{"cluster", data.personas[trial.persona].id}, {"mode", name_of(trial.mode)}};
  // A control's score is none of the run's.
  if (trial.shown == Shown::Own)
    scores["score"] = graded.verdict.score;
  else
    scores["control"] = {{"shown", name_of(trial.shown)}, {"score", graded.verdict.score}};
  // Several critics are a panel.
  for (std::size_t i = 0; i < graded.further.size() + 1 && !graded.further.empty(); ++i) {
    const core::Verdict& verdict = i == 0 ? graded.verdict : graded.further[i - 1];
    if (core::is_scored(verdict))
      scores["judges"][std::string(name_of(critics[i]))] = verdict.score;
  }
  return make_record(index, trial.id, graded.verdict, scores);
}

}  // namespace personascope::eval::persona_bench
