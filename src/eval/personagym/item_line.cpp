#include "eval/personagym/item_line.hpp"

#include "base/text.hpp"

namespace personascope::eval::personagym {
namespace {

bool is_graded(const GymPlan& plan) {
  return plan.until == Stage::Grades && !plan.judges.empty();
}

core::Outcome outcome_of(const GymPlan& plan, const Item& item) {
  if (item.fault)
    return item.fault->kind == ErrorKind::Refused ? core::Outcome::Refused : core::Outcome::Failed;
  if (item.refused) return core::Outcome::Refused;
  if (plan.until != Stage::Questions && trim(item.answer).empty()) return core::Outcome::Empty;
  return is_graded(plan) ? core::outcome_of(item.verdict) : core::Outcome::Answered;
}

std::optional<Error> find_fault(const GymPlan& plan, const Item& item) {
  if (item.fault) return item.fault;
  if (is_graded(plan) && item.verdict.kind == core::VerdictKind::Failed) return item.verdict.fault;
  return std::nullopt;
}

Json list_judges(const std::vector<judge::Judgement>& judgements) {
  Json list = Json::array();
  for (const judge::Judgement& judgement : judgements) list.push_back(judge::to_json(judgement));
  return list;
}

// What does not apply is null, so that all items have the same members.
Json make_document(const GymPlan& plan, const Persona& persona, const Item& item, int epoch) {
  Json document = {{"persona", persona.text}, {"task", nullptr},
                   {"epoch", epoch},          {"question", item.question},
                   {"answer", nullptr},       {"model", nullptr},
                   {"examples", nullptr},     {"judges", list_judges(item.judgements)},
                   {"probe", nullptr},        {"beside", nullptr}};
  if (plan.until != Stage::Questions) document["answer"] = item.answer;
  if (!item.answer_model.empty()) document["model"] = item.answer_model;
  if (!item.examples.empty()) document["examples"] = item.examples;
  return document;
}

ItemRecord make_record(const GymPlan& plan, const Persona& persona, const Item& item, int epoch,
                       std::int64_t position) {
  ItemRecord record;
  record.position = position;
  record.id = item.id;
  record.cluster = persona.id;
  record.outcome = outcome_of(plan, item);
  if (record.outcome == core::Outcome::Scored) {
    record.score = item.verdict.score;
    record.judges = judge::list_scores(item.judgements);
  }
  record.error = find_fault(plan, item);
  record.document = make_document(plan, persona, item, epoch);
  return record;
}

}  // namespace

ItemRecord make_item_record(const GymPlan& plan, const std::vector<GymTask>& tasks,
                            const Sheet& sheet, std::size_t place, std::int64_t position) {
  const Item& item = sheet.items[place];
  const GymTask& task = tasks[sheet.task];
  ItemRecord record = make_record(plan, plan.personas[sheet.persona], item, sheet.epoch, position);
  record.label = task.name;
  record.document["task"] = task.name;
  if (task.beside && !item.beside.empty())
    record.document["beside"] = {
        {"rubric", task.beside->name},
        {"score",
         core::is_scored(item.beside_verdict) ? Json(item.beside_verdict.score) : Json(nullptr)},
        {"judges", list_judges(item.beside)}};
  return record;
}

ItemRecord make_probe_record(const GymPlan& plan, const Persona& persona, const Probe& probe,
                             const Item& item, int epoch, std::int64_t position) {
  ItemRecord record = make_record(plan, persona, item, epoch, position);
  record.label = "probe: " + probe.probe;
  record.document["probe"] = {{"kind", probe.probe}, {"good", probe.good}, {"bad", probe.bad}};
  return record;
}

}  // namespace personascope::eval::personagym
