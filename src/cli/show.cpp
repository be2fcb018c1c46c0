#include <fmt/format.h>

#include "app/runs.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/item_view.hpp"
#include "cli/results.hpp"
#include "cli/run_list.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kShowExamples =
    R"(  personascope show 7                             # the run: state, findings, reasons of failures
  personascope show 7 --worst 5                   # the five items with the lowest scores
  personascope show 7 --outcome refused
  personascope show 7 --item p017/expected-action/3 --prompts
  personascope show 7 --search lighthouse --json)";

struct ShowFlags {
  CommonFlags common;
  std::int64_t run = 0;
  std::string item;
  std::string outcome;
  std::string task;
  std::string persona;
  std::string search;
  std::optional<std::int64_t> worst;
  std::optional<std::int64_t> best;
  std::optional<std::int64_t> limit;
  bool prompts = false;
  bool notes = false;
};

bool wants_items(const ShowFlags& flags) {
  return !flags.outcome.empty() || !flags.task.empty() || !flags.persona.empty() ||
         !flags.search.empty() || flags.worst || flags.best || flags.limit;
}

app::Prompts prompts_of(const ShowFlags& flags) {
  return flags.prompts ? app::Prompts::Show : app::Prompts::LeaveOut;
}

std::optional<std::string> if_given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

app::ItemFilter make_filter(const ShowFlags& flags) {
  constexpr std::int64_t kShown = 20;
  app::ItemFilter filter;
  filter.outcome = core::find_outcome(flags.outcome);
  filter.label = if_given(flags.task);
  filter.cluster = if_given(flags.persona);
  filter.search = if_given(flags.search);
  filter.limit = flags.limit.value_or(kShown);
  if (flags.worst) {
    filter.order = app::ItemOrder::WorstFirst;
    filter.limit = *flags.worst;
  }
  if (flags.best) {
    filter.order = app::ItemOrder::BestFirst;
    filter.limit = *flags.best;
  }
  return filter;
}

// "  model     openai/gpt-4o", in a terminal with further lines below the value.
void print_field(const char* name, const std::string& value) {
  fmt::print("{}", wrap_message(stdout, fmt::format("  {:<9} {}", name, value), 12));
}

void print_details(const app::RunDetails& details, NotesShown notes) {
  const app::RunRecord& run = details.run;
  const auto state = app::present_state(run, std::chrono::system_clock::now());
  fmt::print("run {}: {}, {}\n", run.id, run.command,
             paint(stdout, colour_of(run), name_of(state)));
  if (!run.note.empty()) fmt::print("{}", wrap(printable(run.note), text_columns(stdout), 2));
  print_field("started", run.started_at);
  if (!run.finished_at.empty()) print_field("finished", run.finished_at);
  for (const char* name : {"model", "base_url", "input", "output"})
    if (const auto text = find_text(run.plan, name)) print_field(name, printable(*text));
  if (!run.judge.empty()) print_field("judge", printable(run.judge));
  if (!run.tags.empty()) print_field("tags", printable(join(run.tags, ", ")));
  print_field("items", render_outcomes(run.outcomes, run.items));
  print_field(
      "spent",
      fmt::format("{} calls, {} tokens in, {} out, {}{}", render_count(run.spending.calls),
                  render_count(run.spending.input_tokens), render_count(run.spending.output_tokens),
                  render_money(run.spending.cost_usd),
                  run.spending.unpriced_calls > 0
                      ? fmt::format(" and {} of unknown price",
                                    render_count(run.spending.unpriced_calls, "call"))
                      : ""));
  if (run.spending.max_cost_usd > run.spending.cost_usd)
    print_field("", fmt::format("at most {} with requests that may have been billed",
                                render_money(run.spending.max_cost_usd)));
  if (const std::string results = render_results(run.results, run.id, notes); !results.empty())
    fmt::print("\n{}", results);
  if (details.reasons.empty()) return;
  fmt::print("\n{}\n", paint(stdout, Colour::Bold, "Most frequent failures and refusals"));
  fmt::print("{}", render_reasons(details.reasons, text_columns(stdout)));
  fmt::print("  see them: personascope show {} --outcome {}\n", run.id,
             core::name_of(details.reasons.front().outcome));
}

int show_items(app::Context& context, const ShowFlags& flags) {
  const auto page = app::load_items(context, flags.run, make_filter(flags));
  if (!page) return report(page.error(), flags.common);
  if (flags.common.json) {
    Json list = Json::array();
    for (const app::ItemDetails& item : page->items)
      list.push_back(app::to_json(item, prompts_of(flags)));
    print_json({{"run", flags.run}, {"total", page->total}, {"items", list}});
    return kDone;
  }
  if (page->items.empty()) fmt::print("no item of run {} matches\n", flags.run);
  for (std::size_t i = 0; i < page->items.size(); ++i) {
    if (i > 0) fmt::print("\n{}\n\n", std::string(text_columns(stdout), '-'));
    fmt::print("{}", render_item(page->items[i], prompts_of(flags), text_columns(stdout)));
  }
  if (const auto shown = std::ssize(page->items); shown > 0 && shown < page->total)
    fmt::print(
        "\n{} of {} items; --limit shows more,\n`personascope export {} -o items.jsonl` writes "
        "all\n",
        shown, render_count(page->total), flags.run);
  return kDone;
}

int show(const ShowFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  if (!flags.item.empty()) {
    const auto item = app::load_item(**context, flags.run, flags.item);
    if (!item) return report(item.error(), flags.common);
    if (flags.common.json)
      print_json(app::to_json(*item, prompts_of(flags)));
    else
      fmt::print("{}", render_item(*item, prompts_of(flags), text_columns(stdout)));
    return kDone;
  }
  if (wants_items(flags)) return show_items(**context, flags);
  const auto details = app::show_run(**context, flags.run);
  if (!details) return report(details.error(), flags.common);
  if (flags.common.json)
    print_json(app::to_json(*details));
  else
    print_details(*details, flags.notes ? NotesShown::All : NotesShown::Important);
  return kDone;
}

}  // namespace

void add_show(CLI::App& program) {
  const auto flags = std::make_shared<ShowFlags>();
  CLI::App* command = add_command(program, "show", "Show a run, or its items in full",
                                  kShowExamples, [flags] { return show(*flags); });
  add_run_argument(*command, flags->run);
  add_flag_with_value(*command, "--item", flags->item, "one item, by its id or its number from 1")
      ->type_name("ID");
  add_flag_with_value(*command, "--outcome", flags->outcome, "items with this outcome")
      ->type_name("OUTCOME")
      ->check(CLI::IsMember({"answered", "scored", "abstained", "refused", "empty", "failed"}));
  add_flag_with_value(*command, "--task", flags->task, "items of this task, mode or kind")
      ->type_name("LABEL");
  add_flag_with_value(*command, "--persona", flags->persona, "items of this persona or user, by id")
      ->type_name("ID");
  add_flag_with_value(*command, "--search", flags->search, "items that contain this text")
      ->type_name("TEXT");
  add_flag_with_value(*command, "--worst", flags->worst, "the N items with the lowest scores")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_flag_with_value(*command, "--best", flags->best, "the N items with the highest scores")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_flag_with_value(*command, "--limit", flags->limit, "how many items (default 20)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--prompts", flags->prompts, "also every message as it was sent");
  command->add_flag("--notes", flags->notes, "all notes below the results (default: three)");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
