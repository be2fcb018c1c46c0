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

// What does not apply is null, so that all items have the same members.
Json make_document(const GymPlan& plan, const std::vector<GymTask>& tasks, const Sheet& sheet,
                   const Item& item) {
  Json document = {{"persona", plan.personas[sheet.persona].text},
                   {"task", tasks[sheet.task].name},
                   {"epoch", sheet.epoch},
                   {"question", item.question},
                   {"answer", nullptr},
                   {"model", nullptr},
                   {"examples", nullptr},
                   {"judges", Json::array()}};
  if (plan.until != Stage::Questions) document["answer"] = item.answer;
  if (!item.answer_model.empty()) document["model"] = item.answer_model;
  if (!item.examples.empty()) document["examples"] = item.examples;
  for (const judge::Judgement& judgement : item.judgements)
    document["judges"].push_back(judge::to_json(judgement));
  return document;
}

}  // namespace

ItemRecord make_item_record(const GymPlan& plan, const std::vector<GymTask>& tasks,
                            const Sheet& sheet, std::size_t place, std::int64_t position) {
  const Item& item = sheet.items[place];
  ItemRecord record;
  record.position = position;
  record.id = item.id;
  record.cluster = plan.personas[sheet.persona].id;
  record.label = tasks[sheet.task].name;
  record.outcome = outcome_of(plan, item);
  if (record.outcome == core::Outcome::Scored) {
    record.score = item.verdict.score;
    record.judges = judge::list_scores(item.judgements);
  }
  record.error = find_fault(plan, item);
  record.document = make_document(plan, tasks, sheet, item);
  return record;
}

}  // namespace personascope::eval::personagym
