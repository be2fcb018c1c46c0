// The gym's probes: questions that test one weakness each, asked of the personas that have them.
#include "base/all.hpp"
#include "eval/personagym/gym.hpp"
#include "eval/personagym/item_line.hpp"

namespace personascope::eval::personagym {

void Gym::list_probed() {
  if (plan_.probes != Probes::All) return;
  std::int64_t first = 0;
  for (std::size_t persona = 0; persona < plan_.personas.size(); ++persona) {
    auto probes = list_probes(pack_, plan_.personas[persona].text);
    if (probes.empty()) continue;
    const std::int64_t count = std::ssize(probes);
    probed_.push_back({persona, std::move(probes), first});
    first += count;
  }
}

std::int64_t Gym::probe_items() const {
  if (probed_.empty()) return 0;
  return (probed_.back().first + std::ssize(probed_.back().probes)) * plan_.epochs;
}

Task<void> Gym::run_probes(ItemContext& context, std::size_t probed, int epoch) {
  const Probed& own = probed_[probed];
  const std::int64_t in_epoch = probe_items() / plan_.epochs;
  std::int64_t position = sheet_items() + epoch * in_epoch + own.first;
  std::vector<Task<Result<void>>> tasks;
  for (const Probe* probe : own.probes)
    tasks.push_back(run_probe(context, plan_.personas[own.persona], *probe, epoch, position++));
  // One that fails is taken up again by the next run.
  co_await all(std::move(tasks));
}

Task<Result<void>> Gym::run_probe(ItemContext& context, const Persona& persona, const Probe& probe,
                                  int epoch, std::int64_t position) {
  Item item;
  item.id = "probe/" + probe.id;
  if (epoch > 0) item.id += fmt::format("#{}", epoch + 1);
  item.question = probe.question;
  CO_RETURN_IF_ERROR(co_await answer(context, persona, item, epoch));
  if (item.fault) {
    item.verdict = core::make_failure(*item.fault);
  } else if (item.refused) {
    item.verdict = core::make_refusal(item.answer);
  } else {
    judge::Fields fields{{"persona", persona.text},
                         {"question", item.question},
                         {"answer", item.answer},
                         {"good", probe.good},
                         {"bad", probe.bad}};
    CO_ASSIGN_OR_RETURN(PanelVerdict panel,
                        co_await judge_by_panel(context.chain, grading_.probes, plan_.rule, item.id,
                                                std::move(fields)));
    item.judgements = std::move(panel.judgements);
    item.verdict = std::move(panel.verdict);
    item.refused = panel.declines;
  }
  context.record(make_probe_record(plan_, persona, probe, item, epoch, position));
  probe_scores_.take(probe.probe, *pack_.probe_rubric, position,
                     make_tally_item(persona.id, item.answer_model, item.verdict, item.judgements));
  co_return Result<void>{};
}

}  // namespace personascope::eval::personagym
