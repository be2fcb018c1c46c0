#include "app/runs.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "app/findings.hpp"
#include "base/text.hpp"

namespace personascope::app {
namespace {

constexpr std::size_t kLongestReason = 200;
constexpr std::size_t kReasonsShown = 5;
constexpr int kAnswersLookedAt = 50;  // for the words of refusals

Json to_json(const Spending& spending) {
  return {{"calls", spending.calls},
          {"input_tokens", spending.input_tokens},
          {"output_tokens", spending.output_tokens},
          {"cost_usd", spending.cost_usd},
          {"unpriced_calls", spending.unpriced_calls},
          {"most_tokens", spending.max_tokens},
          {"most_cost_usd", spending.max_cost_usd}};
}

Json describe_error(const Error& error) {
  return {{"kind", name_of(error.kind)}, {"message", error.message}};
}

// JSON that is stored as text, such as a request; what is none stays text.
Json parse_stored(const std::string& text) {
  auto parsed = parse_json(text);
  return parsed ? std::move(*parsed) : Json(text);
}

Json describe_call(const ItemCall& call, Prompts prompts) {
  Json value = {{"key", render_hex(call.key)},
                {"role", call.role},
                {"purpose", call.purpose.empty() ? Json(nullptr) : Json(call.purpose)},
                {"endpoint", parse_stored(call.endpoint)},
                {"latency_s", static_cast<double>(call.latency_us) / 1e6},
                {"cost_usd", call.cost_usd ? Json(*call.cost_usd) : Json(nullptr)},
                {"from_journal", !call.is_paid_here},
                {"failed_attempts", call.attempts},
                {"error", nullptr}};
  if (call.answer)
    value["reply"] = core::to_json(*call.answer);
  else
    value["error"] = describe_error(call.answer.error());
  if (prompts == Prompts::Show) value["request"] = parse_stored(call.request);
  return value;
}

}  // namespace

Result<std::vector<RunEntry>> list_runs(Context& context, const RunFilter& filter) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.find_reader());
  if (!reader) return std::vector<RunEntry>{};
  return reader->load_runs(filter);
}

Result<std::vector<Reason>> list_reasons(store::Reader& reader, std::int64_t run,
                                         std::size_t limit) {
  std::map<std::pair<core::Outcome, std::string>, Reason> reasons;
  for (const core::Outcome outcome :
       {core::Outcome::Failed, core::Outcome::Refused, core::Outcome::Empty}) {
    ItemFilter filter;
    filter.outcome = outcome;
    filter.limit = 10'000;
    ASSIGN_OR_RETURN(const auto items, reader.load_items(run, filter));
    int looked_at = 0;
    for (const ItemRecord& item : items) {
      std::string text;
      if (item.error) {
        text = fmt::format("{}: {}", name_of(item.error->kind),
                           shorten(item.error->message, kLongestReason));
      } else if (outcome == core::Outcome::Refused && looked_at++ < kAnswersLookedAt) {
        ASSIGN_OR_RETURN(const ItemDetails details, reader.load_item(run, item.position));
        text = shorten(find_text(details.item.document, "answer").value_or(""), kLongestReason);
      }
      Reason& reason = reasons[{outcome, text}];
      if (reason.count++ == 0) reason = {outcome, text, 1};
    }
  }
  std::vector<Reason> list;
  for (auto& [key, reason] : reasons) list.push_back(std::move(reason));
  std::ranges::stable_sort(list, std::ranges::greater{}, &Reason::count);
  if (list.size() > limit) list.resize(limit);
  return list;
}

Result<RunDetails> show_run(Context& context, std::int64_t id) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  RunDetails details;
  ASSIGN_OR_RETURN(details.run, reader->load_run(id));
  ASSIGN_OR_RETURN(details.reasons, list_reasons(*reader, id, kReasonsShown));
  return details;
}

Result<ItemPage> load_items(Context& context, std::int64_t run, const ItemFilter& filter) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  RETURN_IF_ERROR(reader->load_run(run));
  ItemPage page;
  ASSIGN_OR_RETURN(page.total, reader->count_items(run, filter));
  ASSIGN_OR_RETURN(const auto items, reader->load_items(run, filter));
  for (const ItemRecord& item : items) {
    ASSIGN_OR_RETURN(auto details, reader->load_item(run, item.position));
    page.items.push_back(std::move(details));
  }
  return page;
}

Result<ItemDetails> load_item(Context& context, std::int64_t run, const std::string& item) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  RETURN_IF_ERROR(reader->load_run(run));
  const auto position = reader->find_position(run, item);
  if (position) return reader->load_item(run, *position);
  const auto number = find_integer_in(item);
  if (number && *number >= 1)
    if (auto found = reader->load_item(run, *number - 1)) return found;
  ItemFilter few;
  few.limit = 3;
  ASSIGN_OR_RETURN(const auto items, reader->load_items(run, few));
  std::vector<std::string> examples;
  for (const ItemRecord& known : items) examples.push_back(printable(shorten(known.id, 40)));
  return fail(ErrorKind::NotFound, "{}; its items are called {}", position.error().message,
              examples.empty() ? "nothing yet" : join(examples, ", ") + ", …");
}

Result<void> check_tags(const std::vector<std::string>& tags) {
  constexpr std::size_t kLongestTag = 60;
  for (const std::string& tag : tags)
    if (trim(tag).empty() || tag.size() > kLongestTag || printable(tag) != tag)
      return fail(ErrorKind::Invalid, "a tag must have 1 to {} printable characters, unlike \"{}\"",
                  kLongestTag, printable(shorten(tag, kLongestTag)));
  return {};
}

Result<void> change_tags(Context& context, std::int64_t run, const std::vector<std::string>& add,
                         const std::vector<std::string>& remove) {
  RETURN_IF_ERROR(check_tags(add));
  ASSIGN_OR_RETURN(store::Store * store, context.existing_store());
  return store->change_tags(run, add, remove);
}

Result<Removal> measure_removal(Context& context, std::int64_t run) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  return reader->load_removal(run);
}

Result<Removal> delete_run(Context& context, std::int64_t run) {
  ASSIGN_OR_RETURN(store::Store * store, context.existing_store());
  return store->delete_run(run);
}

Json to_json(const RunEntry& run) {
  const auto present = store::present_state(run, std::chrono::system_clock::now());
  Json value = {{"run", run.id},
                {"uid", run.uid},
                {"command", run.command},
                {"model", run.model},
                {"judge", run.judge},
                {"state", store::name_of(present)},
                {"note", run.note},
                {"started_at", run.started_at},
                {"finished_at", nullptr},
                {"items", run.items},
                {"outcomes", core::to_json(run.outcomes)},
                {"headline", nullptr},
                {"spending", to_json(run.spending)},
                {"tags", run.tags}};
  if (!run.finished_at.empty()) value["finished_at"] = run.finished_at;
  if (run.headline) value["headline"] = core::to_json(*run.headline);
  return value;
}

Json to_json(const RunRecord& run) {
  Json value = to_json(static_cast<const RunEntry&>(run));
  value["plan"] = run.plan;
  if (!run.results.is_null()) {
    value["results"] = run.results;
    value["findings"] = core::to_json(describe_results(run.results));
  }
  return value;
}

Json to_json(const RunDetails& details) {
  Json value = to_json(details.run);
  value["reasons"] = Json::array();
  for (const Reason& reason : details.reasons)
    value["reasons"].push_back({{"outcome", core::name_of(reason.outcome)},
                                {"reason", reason.text},
                                {"count", reason.count}});
  return value;
}

Json to_json(const Removal& removal) {
  return {{"items", removal.items},
          {"calls", removal.calls},
          {"kept_calls", removal.kept_calls},
          {"bytes", removal.bytes}};
}

Json to_json(const ItemDetails& details, Prompts prompts) {
  Json value = core::to_json(details.item);
  value["calls"] = Json::array();
  for (const ItemCall& call : details.calls) value["calls"].push_back(describe_call(call, prompts));
  return value;
}

namespace {

// What other programs rely on: the findings, and beside them the run, its tokens and its cost.
Json to_evaluation_json(const RunSummary& summary) {
  Json value = summary.results;
  value["findings"] = core::to_json(describe_results(summary.results));
  value["run"] = summary.run.id;
  value["uid"] = summary.run.uid;
  value["state"] = store::name_of(summary.run.state);
  value["usage"] = to_json(summary.spending);
  value["cost_usd"] = nullptr;
  if (summary.spending.unpriced_calls == 0) value["cost_usd"] = summary.spending.cost_usd;
  value["session"] = run::to_json(summary.progress);
  value["error"] = nullptr;
  if (summary.stopped) value["error"] = describe_error(*summary.stopped);
  return value;
}

}  // namespace

Json to_json(const RunSummary& summary) {
  if (find_member(summary.results, "evaluation")) return to_evaluation_json(summary);
  Json value = to_json(summary.run);
  value["spending"] = to_json(summary.spending);
  value["session"] = run::to_json(summary.progress);
  if (!summary.results.is_null()) {
    value["results"] = summary.results;
    value["findings"] = core::to_json(describe_results(summary.results));
  }
  value["error"] = nullptr;
  if (summary.stopped) value["error"] = describe_error(*summary.stopped);
  return value;
}

}  // namespace personascope::app
