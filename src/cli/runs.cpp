#include "app/runs.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/confirm.hpp"
#include "cli/run_list.hpp"
#include "cli/table.hpp"
#include "cli/wrap.hpp"
#include "core/measure_text.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kRunsExamples = R"(  personascope runs
  personascope runs --evaluation gym --model gpt-4o --limit 5
  personascope runs --tag nightly --json)";
constexpr const char* kTagExamples = R"(  personascope tag 7 baseline paper
  personascope tag 7 --remove baseline)";
constexpr const char* kDeleteExamples =
    R"(  personascope delete 7          # says what it would remove, and asks
  personascope delete 7 --yes)";

struct RunsFlags {
  CommonFlags common;
  std::int64_t limit = 20;
  std::optional<std::string> tag;
  std::optional<std::string> model;
  std::optional<std::string> evaluation;
};

struct TagFlags {
  CommonFlags common;
  std::int64_t run = 0;
  std::vector<std::string> add;
  std::vector<std::string> remove;
};

struct DeleteFlags {
  CommonFlags common;
  std::int64_t run = 0;
  bool yes = false;
};

// "3 min", "2 h", "5 days": one figure is enough in a list.
std::string render_age(const std::string& started_at) {
  std::tm parts{};
  if (!strptime(started_at.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts)) return "";
  const auto started = std::chrono::system_clock::from_time_t(timegm(&parts));
  const auto age =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now() - started)
          .count();
  if (age < 60) return fmt::format("{} s", std::max<std::int64_t>(age, 0));
  if (age < 3600) return fmt::format("{} min", age / 60);
  if (age < 2 * 86400) return fmt::format("{} h", age / 3600);
  return fmt::format("{} days", age / 86400);
}

std::string render_headline(const app::RunEntry& run) {
  if (!run.headline || !run.headline->value) return "";
  const core::Metric& score = *run.headline;
  std::string text = core::render_value(score.value, score.unit, score.is_difference);
  if (score.interval)
    text += fmt::format(" [{}]",
                        core::render_interval(score.interval, score.unit, score.is_difference));
  return text;
}

// "18/20, 2 refused": what has ended well, and what has not.
std::string render_items(const app::RunEntry& run) {
  std::string text = fmt::format("{}/{}", render_count(run.outcomes.ok()), render_count(run.items));
  for (const app::Outcome outcome :
       {app::Outcome::Abstained, app::Outcome::Refused, app::Outcome::Empty, app::Outcome::Failed})
    if (run.outcomes[outcome] > 0)
      text += fmt::format(", {} {}", render_count(run.outcomes[outcome]), core::name_of(outcome));
  return text;
}

int list_runs(const RunsFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  app::RunFilter filter;
  filter.tag = flags.tag;
  filter.model = flags.model;
  filter.evaluation = flags.evaluation;
  filter.limit = flags.limit;
  const auto runs = app::list_runs(**context, filter);
  if (!runs) return report(runs.error(), flags.common);
  if (flags.common.json) {
    Json list = Json::array();
    for (const app::RunEntry& run : *runs) list.push_back(app::to_json(run));
    print_json({{"runs", list}});
    return kDone;
  }
  if (runs->empty()) {
    const bool is_filtered = flags.tag || flags.model || flags.evaluation;
    fmt::print("{}\n",
               is_filtered ? "no run matches" : "no runs yet; `personascope gym run` starts one");
    return kDone;
  }
  using enum Align;
  Table table(
      {"run", "command", "state", "model", "score", "items", "cost", "age", "tags", "judge"},
      {Right, Left, Left, Left, Left, Left, Right, Right, Left, Left});
  const auto now = std::chrono::system_clock::now();
  for (const app::RunEntry& run : *runs)
    table.add({std::to_string(run.id), run.command,
               Cell(std::string(name_of(app::present_state(run, now))), colour_of(run)),
               printable(run.model), render_headline(run), render_items(run),
               run.spending.unpriced_calls > 0 && run.spending.cost_usd == 0
                   ? "unknown"
                   : render_money(run.spending.cost_usd),
               render_age(run.started_at), printable(join(run.tags, " ")), printable(run.judge)});
  table.may_drop({9, 8, 6, 7});
  table.may_shorten({3});
  fmt::print("{}", table.render());
  return kDone;
}

int tag_run(const TagFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto changed = app::change_tags(**context, flags.run, flags.add, flags.remove);
  if (!changed) return report(changed.error(), flags.common);
  const auto details = app::show_run(**context, flags.run);
  if (!details) return report(details.error(), flags.common);
  if (flags.common.json)
    print_json({{"run", flags.run}, {"tags", details->run.tags}});
  else
    fmt::print("run {}: {}\n", flags.run,
               details->run.tags.empty() ? "no tags" : printable(join(details->run.tags, ", ")));
  return kDone;
}

int delete_run(const DeleteFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto removal = app::measure_removal(**context, flags.run);
  if (!removal) return report(removal.error(), flags.common);
  if (!flags.yes) {
    const std::string question = fmt::format(
        "Delete run {}: {}, {} ({} are kept because other runs use them), about {:.1f} MB?",
        flags.run, render_count(removal->items, "item"),
        render_count(removal->calls, "stored answer"), render_count(removal->kept_calls),
        static_cast<double>(removal->bytes) / 1e6);
    const auto answer = confirm(question);
    if (!answer)
      return report({ErrorKind::Invalid, question + " Confirm with --yes"}, flags.common);
    if (!*answer) {
      say("nothing was deleted\n");
      return kNotDone;
    }
  }
  const auto removed = app::delete_run(**context, flags.run);
  if (!removed) return report(removed.error(), flags.common);
  if (flags.common.json)
    print_json({{"run", flags.run}, {"deleted", app::to_json(*removed)}});
  else
    fmt::print("deleted run {}; `personascope store compact` gives the space back to the disk\n",
               flags.run);
  return kDone;
}

}  // namespace

Colour colour_of(const app::RunEntry& run) {
  switch (app::present_state(run, std::chrono::system_clock::now())) {
    case app::RunState::Done:
      return run.items > 0 && run.outcomes.ok() == 0 ? Colour::Red : Colour::Green;
    case app::RunState::Failed:
      return Colour::Red;
    case app::RunState::Stopped:
      return Colour::Yellow;
    case app::RunState::Running:
      break;
  }
  return Colour::None;
}

std::string render_reasons(const std::vector<app::Reason>& reasons, std::size_t columns) {
  std::string text;
  for (const app::Reason& reason : reasons)
    text +=
        hang(fmt::format("  {} x {}{}{}", render_count(reason.count), core::name_of(reason.outcome),
                         reason.text.empty() ? "" : ": ", printable(reason.text)),
             columns, 4);
  return text;
}

std::string render_outcomes(const app::OutcomeCounts& outcomes, std::int64_t items) {
  std::vector<std::string> parts;
  for (const app::Outcome outcome : core::kOutcomes)
    if (outcomes[outcome] > 0)
      parts.push_back(
          fmt::format("{} {}", render_count(outcomes[outcome]), core::name_of(outcome)));
  if (items > outcomes.total())
    parts.push_back(fmt::format("{} not done", render_count(items - outcomes.total())));
  return fmt::format("{}: {}", render_count(items), parts.empty() ? "none" : join(parts, ", "));
}

void add_runs(CLI::App& program) {
  const auto flags = std::make_shared<RunsFlags>();
  CLI::App* command = add_command(program, "runs", "List the runs, newest first", kRunsExamples,
                                  [flags] { return list_runs(*flags); });
  add_flag_with_value(*command, "--tag", flags->tag, "only runs with this tag")->type_name("TAG");
  add_flag_with_value(*command, "--model", flags->model,
                      "only runs of models with this in the name")
      ->type_name("TEXT");
  add_flag_with_value(*command, "--evaluation", flags->evaluation,
                      "only runs of this command: gym, bench, lens, batch, judge, lift")
      ->type_name("NAME");
  add_flag_with_value(*command, "--limit", flags->limit, "how many (default 20)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_common_flags(*command, flags->common);
}

void add_tag(CLI::App& program) {
  const auto flags = std::make_shared<TagFlags>();
  CLI::App* command = add_command(program, "tag", "Add tags to a run, or remove them", kTagExamples,
                                  [flags] { return tag_run(*flags); });
  add_run_argument(*command, flags->run);
  command->add_option("TAG", flags->add, "tags to add");
  command->add_option("--remove", flags->remove, "a tag to remove; may be given again")
      ->type_name("TAG")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_common_flags(*command, flags->common);
}

void add_delete(CLI::App& program) {
  const auto flags = std::make_shared<DeleteFlags>();
  CLI::App* command =
      add_command(program, "delete", "Delete a run and the answers that no other run uses",
                  kDeleteExamples, [flags] { return delete_run(*flags); });
  add_run_argument(*command, flags->run);
  command->add_flag("-y,--yes", flags->yes, "do not ask");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
