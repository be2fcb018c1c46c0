#include "app/runs.hpp"

namespace personascope::app {
namespace {

Json to_json(const store::OutcomeCounts& outcomes) {
  return {{"ok", outcomes.ok}, {"refused", outcomes.refused}, {"failed", outcomes.failed}};
}

Json to_json(const Spending& spending) {
  return {{"calls", spending.calls},
          {"input_tokens", spending.input_tokens},
          {"output_tokens", spending.output_tokens},
          {"cost_usd", spending.cost_usd},
          {"unpriced_calls", spending.unpriced_calls},
          {"most_tokens", spending.most_tokens},
          {"most_cost_usd", spending.most_cost_usd}};
}

Json to_json(const UnitRecord& unit) {
  return {{"index", unit.index},
          {"item", unit.item},
          {"outcome", core::name_of(unit.outcome)},
          {"detail", unit.detail}};
}

}  // namespace

Result<std::vector<RunRecord>> list_runs(Context& context, std::int64_t limit) {
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  return store->load_runs(limit);
}

Result<RunDetails> show_run(Context& context, std::int64_t id, std::optional<core::Outcome> outcome,
                            std::int64_t limit) {
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  RunDetails details;
  ASSIGN_OR_RETURN(details.run, store->load_run(id));
  ASSIGN_OR_RETURN(details.spending, store->load_spending(id));
  if (outcome) {
    ASSIGN_OR_RETURN(details.units, store->load_units(id, outcome, limit));
    return details;
  }
  for (const core::Outcome bad : {core::Outcome::Failed, core::Outcome::Refused}) {
    ASSIGN_OR_RETURN(auto units, store->load_units(id, bad, limit));
    details.units.insert(details.units.end(), units.begin(), units.end());
  }
  return details;
}

Json to_json(const RunRecord& run) {
  Json value = {{"run", run.id},
                {"uid", run.uid},
                {"command", run.command},
                {"state", store::name_of(run.state)},
                {"note", run.note},
                {"started_at", run.started_at},
                {"finished_at", nullptr},
                {"units", run.units},
                {"outcomes", to_json(run.outcomes)},
                {"plan", run.plan}};
  if (!run.finished_at.empty()) value["finished_at"] = run.finished_at;
  if (!run.results.is_null()) value["results"] = run.results;
  return value;
}

Json to_json(const RunDetails& details) {
  Json value = to_json(details.run);
  value["spending"] = to_json(details.spending);
  value["shown"] = Json::array();
  for (const UnitRecord& unit : details.units) value["shown"].push_back(to_json(unit));
  return value;
}

namespace {

// What other programs rely on: the findings, and beside them the run, its tokens and its cost.
Json to_evaluation_json(const RunSummary& summary) {
  Json value = summary.results;
  value["run"] = summary.run.id;
  value["uid"] = summary.run.uid;
  value["state"] = store::name_of(summary.run.state);
  value["usage"] = to_json(summary.spending);
  value["cost_usd"] = nullptr;
  if (summary.spending.unpriced_calls == 0) value["cost_usd"] = summary.spending.cost_usd;
  value["session"] = run::to_json(summary.progress);
  value["error"] = nullptr;
  return value;
}

}  // namespace

Json to_json(const RunSummary& summary) {
  if (find_member(summary.results, "evaluation")) return to_evaluation_json(summary);
  Json value = to_json(summary.run);
  value["spending"] = to_json(summary.spending);
  value["session"] = run::to_json(summary.progress);
  if (!summary.results.is_null()) value["results"] = summary.results;
  value["error"] = nullptr;
  if (summary.stopped)
    value["error"] = {{"kind", name_of(summary.stopped->kind)},
                      {"message", summary.stopped->message}};
  return value;
}

}  // namespace personascope::app
