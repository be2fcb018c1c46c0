#include "eval/persona_bench/trial_line.hpp"

#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {
namespace {

// What the critic wrote; null if there is nothing.
Json read_critique(const core::Verdict& verdict) {
  if (verdict.text.empty()) return nullptr;
  const auto critique = llm::find_json(verdict.text);
  return critique ? *critique : Json(verdict.text);
}

Json describe_critic(const core::Verdict& verdict) {
  Json entry = {{"outcome", core::name_of(core::outcome_of(verdict))},
                {"score", nullptr},
                {"critique", read_critique(verdict)},
                {"error", nullptr}};
  if (core::is_scored(verdict)) entry["score"] = verdict.score;
  if (verdict.kind == core::VerdictKind::Failed)
    entry["error"] = {{"kind", name_of(verdict.fault.kind)}, {"message", verdict.fault.message}};
  return entry;
}

// What does not apply is null, so that all items have the same members.
Json make_document(const BenchData& data, const std::vector<CriticKind>& critics,
                   const Trial& trial, const Graded& graded) {
  Json document = {{"persona", data.personas[trial.persona].id},
                   {"question_id", data.questions[trial.question].id},
                   {"question", data.questions[trial.question].text},
                   {"mode", name_of(trial.mode)},
                   {"epoch", trial.epoch},
                   {"answer", graded.answer.text},
                   {"thoughts", nullptr},
                   {"critique", read_critique(graded.verdict)},
                   {"critics", nullptr},
                   {"control", nullptr},
                   {"control_score", nullptr},
                   {"shown", nullptr},
                   {"without", trial.without},
                   {"quotes", graded.quotes},
                   {"lift", nullptr},
                   {"lift_by_attribute", nullptr},
                   {"unread", nullptr}};
  if (trial.shown != Shown::Own) document["control"] = name_of(trial.shown);
  if (trial.shown != Shown::Own && core::is_scored(graded.verdict))
    document["control_score"] = graded.verdict.score;
  if (trial.shown == Shown::Anothers) document["shown"] = data.personas[trial.other].id;
  if (graded.lift) document["lift"] = graded.lift->over_nobody;
  if (graded.lift && !graded.lift->by_attribute.empty())
    document["lift_by_attribute"] = graded.lift->by_attribute;
  if (graded.unread) document["unread"] = graded.unread->message;
  if (!graded.answer.thoughts.empty()) document["thoughts"] = graded.answer.thoughts;
  for (std::size_t i = 0; i < critics.size() && !graded.further.empty(); ++i)
    document["critics"][std::string(name_of(critics[i]))] =
        describe_critic(i == 0 ? graded.verdict : graded.further[i - 1]);
  return document;
}

}  // namespace

ItemRecord make_trial_record(const BenchData& data, const std::vector<CriticKind>& critics,
                             const Trial& trial, const Graded& graded, std::int64_t position) {
  ItemRecord record = make_item(position, trial.id, graded.verdict);
  record.cluster = data.personas[trial.persona].id;
  record.label = name_of(trial.mode);
  // A control's score is none of the run's.
  if (trial.shown != Shown::Own) record.score.reset();
  // Several critics are a panel.
  for (std::size_t i = 0; i < graded.further.size() + 1 && !graded.further.empty(); ++i) {
    const core::Verdict& verdict = i == 0 ? graded.verdict : graded.further[i - 1];
    if (core::is_scored(verdict)) record.judges[std::string(name_of(critics[i]))] = verdict.score;
  }
  record.document = make_document(data, critics, trial, graded);
  return record;
}

}  // namespace personascope::eval::persona_bench
