#include "app/lens.hpp"
#include "base/text.hpp"
#include "eval/personalens/folder_users.hpp"
#include "eval/personalens/verdict_book.hpp"

namespace personascope::app {
namespace {

namespace lens = eval::personalens;

constexpr std::int64_t kMostDialogues = 100'000'000;

Result<lens::GatherWishes> make_wishes(const GatherCommand& command) {
  lens::GatherWishes wishes;
  wishes.folder = command.folder;
  ASSIGN_OR_RETURN(wishes.users, find_named_users(command.users));
  wishes.dimension = command.dimension;
  const lens::Knowledge knowledge{command.demographics, command.past, command.situation};
  if (command.model)
    wishes.assistant = label_lens_model(*command.model) + lens::render_tag(knowledge);
  if (command.judge) wishes.judge = label_lens_model(*command.judge);
  wishes.ending = command.ending;
  return wishes;
}

void keep_one_span(const GatherCommand& command, Gathered& gathered) {
  if (command.single_only == command.multi_only) return;
  for (lens::GatheredGroup& group : gathered.groups)
    std::erase_if(group.rows, [&](const lens::GatheredRow& row) {
      return gathered.tasks[row.task].starts_with("MD-") != command.multi_only;
    });
  std::erase_if(gathered.groups,
                [](const lens::GatheredGroup& group) { return group.rows.empty(); });
}

}  // namespace

Result<Gathered> gather_lens(const GatherCommand& command) {
  ASSIGN_OR_RETURN(const lens::GatherWishes wishes, make_wishes(command));
  ASSIGN_OR_RETURN(Gathered gathered, lens::gather(wishes));
  keep_one_span(command, gathered);
  return gathered;
}

Result<Gathered> gather_lens_run(Context& context, std::int64_t id, const GatherCommand& command) {
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  ASSIGN_OR_RETURN(const store::RunRecord run, store->load_run(id));
  if (run.command != "lens")
    return fail(ErrorKind::Invalid, "run {} is one of {}, not of the lens", id,
                printable(run.command));
  ASSIGN_OR_RETURN(const lens::LensPlan plan, lens::parse_lens_plan(run.plan));
  ASSIGN_OR_RETURN(const lens::GatherWishes wishes, make_wishes(command));
  ASSIGN_OR_RETURN(auto book, lens::VerdictBook::create(wishes, plan));
  ASSIGN_OR_RETURN(const auto units, store->load_units(id, core::Outcome::Ok, kMostDialogues));
  for (const store::UnitRecord& unit : units) {
    const auto detail = parse_json(unit.detail);
    if (!detail) continue;
    const auto knowledge = lens::parse_letters(find_text(*detail, "context").value_or(""));
    const auto user = lens::find_user_number(find_text(*detail, "cluster").value_or(""));
    const Json* readings = find_member(*detail, "by_judge");
    if (knowledge && user && readings)
      book.take(*user, find_text(*detail, "task").value_or(""), *knowledge, *readings);
  }
  Gathered gathered = book.finish();
  gathered.folder = fmt::format("run {}", id);
  const std::int64_t broken = run.outcomes.failed + run.outcomes.refused;
  if (broken > 0)
    gathered.faults.push_back(fmt::format("{} dialogues broke off and were not judged", broken));
  if (const std::int64_t open = run.units - run.outcomes.ok - broken; open > 0)
    gathered.faults.push_back(
        fmt::format("{} dialogues are still to be held: personascope resume {}", open, id));
  keep_one_span(command, gathered);
  return gathered;
}

}  // namespace personascope::app
