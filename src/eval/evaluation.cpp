#include "eval/evaluation.hpp"

namespace personascope::eval {

ItemRecord make_item(std::int64_t position, std::string id, const core::Verdict& verdict) {
  ItemRecord item;
  item.position = position;
  item.id = std::move(id);
  item.outcome = core::outcome_of(verdict);
  if (core::is_scored(verdict)) item.score = verdict.score;
  if (verdict.kind == core::VerdictKind::Failed) item.error = verdict.fault;
  return item;
}

}  // namespace personascope::eval
