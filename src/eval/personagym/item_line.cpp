#include "eval/personagym/item_line.hpp"

namespace personascope::eval::personagym {
namespace {

// How an item that is not graded ended.
std::string outcome_of(const GymPlan& plan, const Item& item) {
  if (plan.until == Stage::Grades && !plan.judges.empty())
    return std::string(item.verdict.kind == core::VerdictKind::Score
                           ? "scored"
                           : core::name_of(item.verdict.kind));
  if (item.fault) return "failed";
  return item.refused ? "refused" : "ok";
}

const Error* find_fault(const GymPlan& plan, const Item& item) {
  if (item.fault) return &*item.fault;
  const bool graded = plan.until == Stage::Grades && !plan.judges.empty();
  return graded && item.verdict.kind == core::VerdictKind::Failed ? &item.verdict.fault : nullptr;
}

}  // namespace

std::string render_item_line(const GymPlan& plan, const std::vector<GymTask>& tasks,
                             const Sheet& sheet, std::size_t place) {
  const Item& item = sheet.items[place];
  Json line = {{"id", item.id},
               {"persona", plan.personas[sheet.persona].text},
               {"task", tasks[sheet.task].name},
               {"epoch", sheet.epoch},
               {"question", item.question},
               {"outcome", outcome_of(plan, item)}};
  if (plan.until != Stage::Questions) line["answer"] = item.answer;
  if (!item.answer_model.empty()) line["model"] = item.answer_model;
  if (!item.examples.empty()) line["examples"] = item.examples;
  if (!item.judgements.empty()) {
    if (core::is_scored(item.verdict)) line["score"] = item.verdict.score;
    line["judges"] = Json::array();
    for (const judge::Judgement& judgement : item.judgements)
      line["judges"].push_back(judge::to_json(judgement));
  }
  if (const Error* fault = find_fault(plan, item))
    line["error"] = {{"kind", name_of(fault->kind)}, {"message", fault->message}};
  return render_json(line);
}

ItemRecord make_item_record(const GymPlan& plan, const std::vector<GymTask>& tasks,
                            const Sheet& sheet, std::size_t place, std::int64_t index) {
  const Item& item = sheet.items[place];
  ItemRecord record{.index = index,
                    .item = item.id,
                    .outcome = core::Outcome::Ok,
                    .detail = "",
                    .error = std::nullopt};
  const std::string outcome = outcome_of(plan, item);
  if (outcome == "refused") record.outcome = core::Outcome::Refused;
  if (outcome == "failed") record.outcome = core::Outcome::Failed;
  if (const Error* fault = find_fault(plan, item)) {
    record.error = fault->kind;
    record.detail = fmt::format("{}: {}", name_of(fault->kind), fault->message);
  } else if (outcome == "scored") {
    record.detail = render_json({{"cluster", plan.personas[sheet.persona].id},
                                 {"task", tasks[sheet.task].name},
                                 {"score", item.verdict.score},
                                 {"judges", judge::list_scores(item.judgements)}});
  }
  return record;
}

}  // namespace personascope::eval::personagym
