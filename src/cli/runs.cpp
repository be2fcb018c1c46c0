#include "app/runs.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/results.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kRunsExamples = R"(  personascope runs
  personascope runs --limit 5 --json)";
constexpr const char* kShowExamples = R"(  personascope show 7
  personascope show 7 --outcome refused --limit 100
  personascope show 7 --json)";

struct RunsFlags {
  CommonFlags common;
  std::int64_t limit = 20;
};

struct ShowFlags {
  CommonFlags common;
  std::int64_t run = 0;
  std::string outcome;
  std::int64_t limit = 20;
};

Colour colour_of(app::RunState state) {
  switch (state) {
    case app::RunState::Done:
      return Colour::Green;
    case app::RunState::Failed:
      return Colour::Red;
    case app::RunState::Stopped:
      return Colour::Yellow;
    case app::RunState::Running:
      return Colour::None;
  }
  return Colour::None;
}

int list_runs(const RunsFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto runs = app::list_runs(**context, flags.limit);
  if (!runs) return report(runs.error(), flags.common);
  if (flags.common.json) {
    Json list = Json::array();
    for (const app::RunRecord& run : *runs) list.push_back(app::to_json(run));
    print_json({{"runs", list}});
    return kDone;
  }
  if (runs->empty()) {
    fmt::print("no runs yet; `personascope batch --help` shows how to start one\n");
    return kDone;
  }
  using enum Align;
  Table table({"run", "command", "state", "started", "items", "ok", "refused", "failed", "model"},
              {Right, Left, Left, Left, Right, Right, Right, Right, Left});
  for (const app::RunRecord& run : *runs)
    table.add({std::to_string(run.id), run.command,
               Cell(std::string(store::name_of(run.state)), colour_of(run.state)), run.started_at,
               render_count(run.units), render_count(run.outcomes.ok),
               render_count(run.outcomes.refused), render_count(run.outcomes.failed),
               printable(find_text(run.plan, "model").value_or(""))});
  fmt::print("{}", table.render());
  return kDone;
}

void print_details(const app::RunDetails& details) {
  const app::RunRecord& run = details.run;
  fmt::print("run {}: {}, {}\n", run.id, run.command,
             paint(stdout, colour_of(run.state), store::name_of(run.state)));
  if (!run.note.empty()) fmt::print("  {}\n", printable(run.note));
  fmt::print("  started   {}\n", run.started_at);
  if (!run.finished_at.empty()) fmt::print("  finished  {}\n", run.finished_at);
  for (const char* name : {"model", "base_url", "input", "output"})
    if (const auto text = find_text(run.plan, name))
      fmt::print("  {:<9} {}\n", name, printable(*text));
  fmt::print(
      "  items     {}: {} ok, {} refused, {} failed, {} without an outcome\n",
      render_count(run.units), render_count(run.outcomes.ok), render_count(run.outcomes.refused),
      render_count(run.outcomes.failed),
      render_count(run.units - run.outcomes.ok - run.outcomes.refused - run.outcomes.failed));
  fmt::print("  spent     {} calls, {} tokens in, {} out, {}{}\n",
             render_count(details.spending.calls), render_count(details.spending.input_tokens),
             render_count(details.spending.output_tokens), render_money(details.spending.cost_usd),
             details.spending.unpriced_calls > 0
                 ? fmt::format(" and {} calls of unknown price",
                               render_count(details.spending.unpriced_calls))
                 : "");
  if (details.spending.most_cost_usd > details.spending.cost_usd)
    fmt::print("            at most {} with requests that may have been billed\n",
               render_money(details.spending.most_cost_usd));
  if (const std::string results = render_results(run.results); !results.empty())
    fmt::print("\n{}", results);
  if (details.units.empty()) return;
  Table table({"item", "outcome", "why"});
  for (const app::UnitRecord& unit : details.units)
    table.add({printable(shorten(unit.item, 40)), std::string(core::name_of(unit.outcome)),
               printable(shorten(unit.detail, 200))});
  fmt::print("\n{}", table.render());
}

std::optional<core::Outcome> find_outcome(const std::string& name) {
  for (const core::Outcome outcome :
       {core::Outcome::Ok, core::Outcome::Refused, core::Outcome::Failed})
    if (core::name_of(outcome) == name) return outcome;
  return std::nullopt;
}

int show_run(const ShowFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto details =
      app::show_run(**context, flags.run, find_outcome(flags.outcome), flags.limit);
  if (!details) return report(details.error(), flags.common);
  if (flags.common.json)
    print_json(app::to_json(*details));
  else
    print_details(*details);
  return kDone;
}

}  // namespace

void add_runs(CLI::App& program) {
  const auto flags = std::make_shared<RunsFlags>();
  CLI::App* command = add_command(program, "runs", "List the runs, newest first", kRunsExamples,
                                  [flags] { return list_runs(*flags); });
  add_flag_with_value(*command, "--limit", flags->limit, "how many (20)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_common_flags(*command, flags->common);
}

void add_show(CLI::App& program) {
  const auto flags = std::make_shared<ShowFlags>();
  CLI::App* command =
      add_command(program, "show", "Show a run: its state, spending, and what did not end well",
                  kShowExamples, [flags] { return show_run(*flags); });
  add_run_argument(*command, flags->run);
  add_flag_with_value(*command, "--outcome", flags->outcome,
                      "list the items with this outcome instead")
      ->check(CLI::IsMember({"ok", "refused", "failed"}));
  add_flag_with_value(*command, "--limit", flags->limit, "how many items (20)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
