#include "cli/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stop_token>

#include "app/study_run.hpp"
#include "base/text.hpp"
#include "cli/board_view.hpp"
#include "cli/command.hpp"
#include "cli/confirm.hpp"
#include "cli/gate_flags.hpp"
#include "cli/interrupts.hpp"
#include "cli/option_flags.hpp"
#include "cli/progress_bar.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kStudyExamples =
    R"(  personascope init                      # writes study.yaml, with comments
  personascope run study.yaml --estimate
  personascope run study.yaml            # the same command goes on if it was stopped
  personascope run study.yaml --again    # start every run anew
  personascope run --schema > study.schema.json

A study is a file that names models, judges, settings and evaluations; every combination is a run. Runs that
are done are not repeated. `gym run --model A --model B` is a small study without a file.)";

constexpr const char* kInitExamples =
    R"(  personascope init
  personascope init my-study.yaml

Writes an example of a study, with comments. A file that exists is not replaced.)";

struct StudyFlags {
  CommonFlags common;
  std::string file;
  bool estimate = false;
  bool again = false;
  bool yes = false;
  bool schema = false;
};

struct InitFlags {
  CommonFlags common;
  std::string file = "study.yaml";
};

std::string render_cost_of(const std::optional<double>& usd) {
  return usd ? render_money(*usd) : std::string("unknown");
}

void print_start(const app::StudyCell& cell, app::CellStart start, std::size_t number,
                 std::size_t count) {
  say("{} of {}: {}{}\n", number, count, printable(cell.name),
      start == app::CellStart::New ? "" : fmt::format(" ({})", name_of(start)));
}

void print_end(const app::CellEnd& end) {
  const app::RunRecord& run = end.summary.run;
  std::string counts;
  for (const core::Outcome outcome : core::kOutcomes)
    if (run.outcomes[outcome] > 0)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ",
                            render_count(run.outcomes[outcome]), core::name_of(outcome));
  say("  run {}: {}; {} sent, {} from the journal, {}\n", run.id, counts.empty() ? "none" : counts,
      render_count(end.summary.progress.meter.sent),
      render_count(end.summary.progress.meter.from_journal),
      render_money(end.summary.spending.cost_usd));
}

int exit_code_of_study(const app::StudyEnd& end, int gates) {
  if (end.stopped) return end.stopped->kind == ErrorKind::Cancelled ? kInterrupted : kNotDone;
  const bool has_failed = std::ranges::any_of(end.ended, [](const app::CellEnd& cell) {
    return cell.gates.empty() && cell.summary.too_many_failures;
  });
  return has_failed ? kNotDone : gates;
}

// The worse of two exit codes of gates: undecided, missed, passed.
int worse_gate(int first, int second) {
  if (first == kNotDone || second == kNotDone) return kNotDone;
  return std::max(first, second);
}

int run_study_file(const StudyFlags& flags) {
  if (flags.schema) {
    print_json(app::make_study_schema());
    return kDone;
  }
  if (flags.file.empty())
    return report({ErrorKind::Invalid,
                   "name the file of the study; `personascope init` writes an "
                   "example"},
                  flags.common);
  const auto study = app::load_study(flags.file);
  if (!study) return report(study.error(), flags.common);
  if (flags.estimate) return show_study_estimate(*study, flags.common);
  return watch_study(*study, {.again = flags.again}, flags.common, flags.yes);
}

int write_example(const InitFlags& flags) {
  std::error_code ignored;
  if (std::filesystem::exists(flags.file, ignored))
    return report({ErrorKind::Invalid,
                   fmt::format("{} exists already; name another file", printable(flags.file))},
                  flags.common);
  const auto saved = app::save_example_study(flags.file);
  if (!saved) return report(saved.error(), flags.common);
  if (flags.common.json)
    print_json({{"file", flags.file}});
  else
    fmt::print("wrote {}; next: personascope run {} --estimate\n", printable(flags.file),
               printable(flags.file));
  return kDone;
}

}  // namespace

int show_study_estimate(const app::Study& study, const CommonFlags& flags) {
  auto context = app::Context::create(flags.context);
  if (!context) return report(context.error(), flags);
  const auto estimates = app::estimate_study(**context, study);
  if (!estimates) return report(estimates.error(), flags);
  Json rows = Json::array();
  using enum Align;
  Table table({"run", "calls", "tokens in", "max tokens out", "max cost"},
              {Left, Right, Right, Right, Right});
  table.may_shorten({0});
  std::int64_t all_calls = 0;
  std::optional<double> all_cost = 0;
  for (std::size_t i = 0; i < study.cells.size(); ++i) {
    std::int64_t calls = 0, input = 0, output = 0;
    std::optional<double> cost = 0;
    Json parts = Json::array();
    for (const app::Estimate& estimate : (*estimates)[i]) {
      calls += estimate.calls;
      input += estimate.input_tokens;
      output += estimate.max_output_tokens;
      cost = cost && estimate.max_cost_usd ? std::optional(*cost + *estimate.max_cost_usd)
                                           : std::nullopt;
      parts.push_back(to_json(estimate));
    }
    all_calls += calls;
    all_cost = all_cost && cost ? std::optional(*all_cost + *cost) : std::nullopt;
    rows.push_back({{"name", study.cells[i].name},
                    {"calls", calls},
                    {"most_cost_usd", cost ? Json(*cost) : Json()},
                    {"parts", parts}});
    table.add({printable(study.cells[i].name), render_count(calls), render_count(input),
               render_count(output), render_cost_of(cost)});
  }
  if (flags.json) {
    print_json({{"runs", rows},
                {"calls", all_calls},
                {"most_cost_usd", all_cost ? Json(*all_cost) : Json()}});
    return kDone;
  }
  table.add({Cell("all"), render_count(all_calls), Cell(""), Cell(""), render_cost_of(all_cost)});
  fmt::print(
      "{}Estimates. What runs share is counted in each of them and sent once; answers that "
      "are stored already cost nothing.\n",
      table.render());
  return kDone;
}

int watch_study(const app::Study& study, const app::StudyRequest& request, const CommonFlags& flags,
                bool yes) {
  auto context = app::Context::create(flags.context);
  if (!context) return report(context.error(), flags);
  ProgressBar bar(flags.quiet ? Verbosity::Quiet : Verbosity::Normal);
  app::StudyListener listener;
  listener.run.on_progress = [&bar](const app::Progress& progress) { bar.show(progress); };
  if (yes)
    listener.run.confirm = [](const std::string&) { return true; };
  else if (is_terminal(stdin) && is_terminal(stderr))
    listener.run.confirm = [](const std::string& question) {
      return confirm(question).value_or(false);
    };
  if (!flags.quiet)
    listener.run.on_note = [&](const std::string& note) {
      say("{}", wrap_message(stderr, "note: " + printable(name_flags(note, flags.options)), 6));
    };
  std::size_t number = 0;
  int gates = kDone;
  listener.on_start = [&](const app::StudyCell& cell, app::CellStart start) {
    bar.clear();
    if (!flags.quiet) print_start(cell, start, ++number, study.cells.size());
  };
  listener.on_end = [&](const app::StudyCell&, const app::CellEnd& end) {
    bar.clear();
    if (!flags.quiet) print_end(end);
    gates = worse_gate(gates, print_gates(end.gates, flags));
  };
  std::stop_source source;
  Result<app::StudyEnd> end;
  {
    const Interrupts interrupts([&source] { source.request_stop(); });
    end = app::carry_out_study(**context, study, request, listener, source.get_token());
  }
  bar.clear();
  if (!end) return report(end.error(), flags);
  if (end->stopped) {
    print_message("stopped:", printable(name_flags(end->stopped->message, flags.options)));
    say("  all answers so far are stored; the same command goes on with them\n");
  }
  if (flags.json)
    print_json(app::to_json(study, *end));
  else if (!flags.quiet && end->boards)
    fmt::print("{}", render_leaderboards(*end->boards));
  return exit_code_of_study(*end, gates);
}

void add_run(CLI::App& program) {
  const auto flags = std::make_shared<StudyFlags>();
  CLI::App* command = add_command(program, "run", "Carry out a study: many runs from one file",
                                  kStudyExamples, [flags] { return run_study_file(*flags); });
  command->add_option("FILE", flags->file, "the study, a YAML file");
  command->add_flag("--estimate,--dry-run", flags->estimate,
                    "only estimate calls, tokens and cost of all runs");
  command->add_flag("--again", flags->again, "start every run anew, even those that are done");
  command->add_flag("--yes", flags->yes, "start without asking, whatever the estimated cost");
  command->add_flag("--schema", flags->schema, "print a JSON schema of the file, for editors");
  add_common_flags(*command, flags->common);
}

void add_init(CLI::App& program) {
  const auto flags = std::make_shared<InitFlags>();
  CLI::App* command = add_command(program, "init", "Write an example of a study, with comments",
                                  kInitExamples, [flags] { return write_example(*flags); });
  command->add_option("FILE", flags->file, "the file to write (default study.yaml)");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
