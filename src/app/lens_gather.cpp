#include <set>

#include "app/lens.hpp"
#include "base/text.hpp"
#include "eval/personalens/folder_users.hpp"
#include "eval/personalens/planning.hpp"
#include "eval/personalens/verdict_book.hpp"
#include "report/item_export.hpp"

namespace personascope::app {
namespace {

namespace lens = eval::personalens;

Result<lens::GatherWishes> make_wishes(const GatherCommand& command) {
  lens::GatherWishes wishes;
  wishes.folder = command.folder;
  ASSIGN_OR_RETURN(wishes.users, lens::find_named_users(command.users, std::nullopt));
  wishes.dimension = command.dimension;
  const lens::Knowledge knowledge{command.demographics, command.past, command.situation};
  if (command.model)
    wishes.assistant = lens::label_lens_model(*command.model) + lens::render_tag(knowledge);
  if (command.judge) wishes.judge = lens::label_lens_model(*command.judge);
  wishes.ending = command.ending;
  return wishes;
}

// The tasks of the domain and of the span that the command names.
void keep_named_tasks(const GatherCommand& command, Gathered& gathered) {
  const bool one_span = command.single_only != command.multi_only;
  for (lens::GatheredGroup& group : gathered.groups)
    std::erase_if(group.rows, [&](const lens::GatheredRow& row) {
      const std::string domain = lens::domain_of(gathered.tasks[row.task]);
      return (one_span && (domain == "Multi-domain") != command.multi_only) ||
             (command.domain && lower(domain) != lower(*command.domain));
    });
  std::erase_if(gathered.groups,
                [](const lens::GatheredGroup& group) { return group.rows.empty(); });
}

std::string list_few(const std::set<std::string>& names) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> few;
  for (const std::string& name : names)
    if (few.size() < kMost) few.push_back(printable(name));
  return join(few, ", ") + (names.size() > kMost ? ", …" : "");
}

// Why nothing fits the wishes, although there is this.
std::unexpected<Error> fail_with_others(const Gathered& there) {
  std::set<std::string> assistants, dimensions, judges;
  std::set<std::uint32_t> users;
  for (const lens::GatheredGroup& group : there.groups) {
    assistants.insert(group.assistant);
    dimensions.insert(group.dimension + group.suffix);
    judges.insert(group.judge);
    for (const lens::GatheredRow& row : group.rows) users.insert(row.user);
  }
  return fail(
      ErrorKind::NotFound,
      "no verdict matches; {} has verdicts on the assistants {} (with what they knew: _d, _p, _s) "
      "in the dimensions {} by the judges {}, of {} users, user{} to user{}, and of tasks {} "
      "to {}",
      printable(there.folder), list_few(assistants), list_few(dimensions), list_few(judges),
      users.size(), *users.begin(), *users.rbegin(), printable(there.tasks.front()),
      printable(there.tasks.back()));
}

// `judged` are the run's items whose dialogues were judged, whole.
Result<Gathered> gather_items(const std::vector<core::ItemRecord>& judged,
                              const lens::GatherWishes& wishes, const lens::LensPlan& plan) {
  ASSIGN_OR_RETURN(auto book, lens::VerdictBook::create(wishes, plan));
  for (const core::ItemRecord& item : judged) {
    const auto knowledge = lens::parse_letters(find_text(item.document, "context").value_or(""));
    const auto user = lens::find_user_number(item.cluster);
    const Json* readings = find_member(item.document, "by_judge");
    if (knowledge && user && readings) book.take(*user, item.label, *knowledge, *readings);
  }
  return book.finish();
}

// Without the texts, which are long.
Result<std::vector<core::ItemRecord>> load_judged(store::Reader& reader, std::int64_t run) {
  std::vector<core::ItemRecord> items;
  RETURN_IF_ERROR(
      report::visit_items(reader, run, {}, [&](const store::ItemDetails& details) -> Result<void> {
        if (details.item.outcome != core::Outcome::Scored &&
            details.item.outcome != core::Outcome::Abstained)
          return {};
        core::ItemRecord item = details.item;
        Json document = Json::object();
        for (const char* member : {"context", "by_judge"})
          if (const Json* value = find_member(item.document, member)) document[member] = *value;
        item.document = std::move(document);
        items.push_back(std::move(item));
        return {};
      }));
  return items;
}

}  // namespace

Result<Gathered> gather_lens(const GatherCommand& command) {
  ASSIGN_OR_RETURN(lens::GatherWishes wishes, make_wishes(command));
  ASSIGN_OR_RETURN(Gathered gathered, lens::gather(wishes));
  keep_named_tasks(command, gathered);
  if (!gathered.groups.empty()) return gathered;
  lens::GatherWishes all_wishes;
  all_wishes.folder = wishes.folder;
  ASSIGN_OR_RETURN(const Gathered all, lens::gather(all_wishes));
  if (!all.groups.empty()) return fail_with_others(all);
  return gathered;
}

Result<Gathered> gather_lens_run(Context& context, std::int64_t id, const GatherCommand& command) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  ASSIGN_OR_RETURN(const store::RunRecord run, reader->load_run(id));
  if (run.command != "lens")
    return fail(ErrorKind::Invalid, "run {} is one of {}, not of the lens", id,
                printable(run.command));
  ASSIGN_OR_RETURN(const lens::LensPlan plan, lens::parse_lens_plan(run.plan));
  ASSIGN_OR_RETURN(const lens::GatherWishes wishes, make_wishes(command));
  ASSIGN_OR_RETURN(const auto judged, load_judged(*reader, id));
  ASSIGN_OR_RETURN(Gathered gathered, gather_items(judged, wishes, plan));
  gathered.folder = fmt::format("run {}", id);
  keep_named_tasks(command, gathered);
  if (gathered.groups.empty()) {
    ASSIGN_OR_RETURN(Gathered all, gather_items(judged, {}, plan));
    all.folder = gathered.folder;
    if (!all.groups.empty()) return fail_with_others(all);
  }
  const std::int64_t broken =
      run.outcomes[core::Outcome::Failed] + run.outcomes[core::Outcome::Refused];
  if (broken > 0)
    gathered.faults.push_back(fmt::format("{} dialogues broke off and were not judged", broken));
  if (const std::int64_t open = run.items - run.outcomes.total(); open > 0)
    gathered.faults.push_back(fmt::format(
        "{} dialogues are not done yet; continue with: personascope resume {}", open, id));
  return gathered;
}

}  // namespace personascope::app
