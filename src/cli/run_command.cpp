#include "cli/run_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "app/runs.hpp"
#include "base/text.hpp"
#include "cli/confirm.hpp"
#include "cli/interrupts.hpp"
#include "cli/option_flags.hpp"
#include "cli/progress_bar.hpp"
#include "cli/results.hpp"
#include "cli/run_list.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

// Flushed line by line, so that a failure is met while the run can still say so.
Result<void> write_standard_output(std::string_view text) {
  const std::string shown =
      is_terminal(stdout) ? printable(text, Newlines::Keep) : std::string(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() &&
      std::fflush(stdout) == 0)
    return {};
  return fail(ErrorKind::Storage, "standard output cannot be written: {}", std::strerror(errno));
}

std::string quote_if_needed(const std::string& word) {
  const bool plain = word.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") ==
                     std::string::npos;
  return plain ? word : "'" + replace_all(word, "'", "'\\''") + "'";
}

std::string render_cost(const app::Spending& spending) {
  if (spending.unpriced_calls == 0) return render_money(spending.cost_usd);
  if (spending.cost_usd == 0) return "cost unknown";
  return fmt::format("{} and {} of unknown price", render_money(spending.cost_usd),
                     render_count(spending.unpriced_calls, "call"));
}

// With the files that the command needs to find the run again.
std::string render_command(std::string_view name, const app::RunSummary& summary,
                           const CommonFlags& flags) {
  std::string command = fmt::format("personascope {} {}", name, summary.run.id);
  if (flags.context.store) command += " --store " + quote_if_needed(*flags.context.store);
  if (flags.context.prices) command += " --prices " + quote_if_needed(*flags.context.prices);
  return command;
}

void print_outcomes(const app::RunSummary& summary) {
  const auto& outcomes = summary.progress.outcomes;
  const auto& meter = summary.progress.meter;
  std::string counts;
  for (const core::Outcome outcome : core::kOutcomes) {
    if (outcomes[outcome] == 0) continue;
    const bool is_ok = outcome == core::Outcome::Answered || outcome == core::Outcome::Scored;
    const Colour colour = is_ok                              ? Colour::Green
                          : outcome == core::Outcome::Failed ? Colour::Red
                                                             : Colour::Yellow;
    counts += (counts.empty() ? "" : ", ") +
              paint(stderr, colour,
                    fmt::format("{} {}", render_count(outcomes[outcome]), core::name_of(outcome)));
  }
  say("run {}: {} of {} {}\n", summary.run.id, counts.empty() ? "none" : counts,
      render_count(summary.run.items), summary.run.items == 1 ? "item" : "items");
  say("  {} sent, {} from the journal, {} retried, in {}\n", render_count(meter.sent),
      render_count(meter.from_journal), render_count(meter.retried),
      render_duration(summary.progress.elapsed));
  say("  {} tokens in, {} out, {}\n", render_count(summary.spending.input_tokens),
      render_count(summary.spending.output_tokens), render_cost(summary.spending));
}

// Why items failed, most frequent first.
void print_reasons(app::Context& context, const app::RunSummary& summary) {
  const auto details = app::show_run(context, summary.run.id);
  if (!details) return;  // the run's own reason is said already
  say("{}", render_reasons(details->reasons, text_columns(stderr)));
}

void print_advice(const std::string& text) {
  say("{}", wrap_message(stderr, "  " + text, 4));
}

void print_summary(app::Context& context, const app::RunSummary& summary,
                   const CommonFlags& flags) {
  print_outcomes(summary);
  const auto& outcomes = summary.progress.outcomes;
  if (summary.stopped) {
    print_message("stopped:", printable(name_flags(summary.stopped->message, flags.options)));
    print_advice(summary.engine.replay.value_or(false)
                     ? fmt::format("what differs: {}; without --replay it would be sent",
                                   render_command("explain-miss", summary, flags))
                     : fmt::format("all answers so far are stored; continue with: {}",
                                   render_resume_command(summary, flags)));
  } else if (outcomes[core::Outcome::Failed] > 0) {
    print_reasons(context, summary);
    print_advice(
        fmt::format("failed items: {} --outcome failed", render_command("show", summary, flags)));
    if (summary.may_pass)
      print_advice(fmt::format("some failures may be temporary; retry with: {}",
                               render_resume_command(summary, flags)));
  }
}

// On standard output, unless the run's lines are there.
void print_results(const app::RunSummary& summary) {
  const std::string text = render_results(summary.results, summary.run.id);
  const bool is_taken = find_text(summary.run.plan, "output") == "-";
  fmt::print(is_taken ? stderr : stdout, "{}", text);
}

int exit_code_of(const app::RunSummary& summary) {
  if (summary.stopped)
    return summary.stopped->kind == ErrorKind::Cancelled ? kInterrupted : kNotDone;
  return summary.too_many_failures ? kNotDone : kDone;
}

// More than is set aside for a call that has no limit of its own.
constexpr std::int64_t kRoomForACall = 10'000;

}  // namespace

std::string render_resume_command(const app::RunSummary& summary, const CommonFlags& flags) {
  std::string command = render_command("resume", summary, flags);
  if (summary.stopped && summary.stopped->kind == ErrorKind::BudgetExhausted) {
    // Twice the old limit: the run has shown that the old one is too little.
    const app::EngineOptions& engine = summary.engine;
    if (engine.max_calls)
      command += fmt::format(" --max-calls {}", std::max<std::int64_t>(2 * *engine.max_calls, 1));
    if (engine.max_tokens)
      command += fmt::format(" --max-tokens {}", std::max(2 * *engine.max_tokens, kRoomForACall));
    if (engine.max_cost_usd)
      command += fmt::format(" --max-cost {}", std::max(2 * *engine.max_cost_usd, 0.01));
  }
  return command;
}

int watch_run(const CommonFlags& flags, const StartRun& start, Questions questions,
              const std::function<void(const app::RunSummary&)>& look_at) {
  auto context = app::Context::create(flags.context);
  if (!context) return report(context.error(), flags);
  ProgressBar bar(flags.quiet ? Verbosity::Quiet : Verbosity::Normal);
  app::Listener listener;
  listener.on_progress = [&bar](const app::Progress& progress) { bar.show(progress); };
  if (!flags.json)  // --json prints its own document
    listener.write_output = [&bar](std::string_view text) {
      if (is_terminal(stdout)) bar.clear();
      return write_standard_output(text);
    };
  if (questions == Questions::AnswerYes)
    listener.confirm = [](const std::string&) { return true; };
  else if (is_terminal(stdin) && is_terminal(stderr))
    listener.confirm = [](const std::string& question) {
      return confirm(question).value_or(false);
    };
  if (!flags.quiet)
    listener.on_note = [&](const std::string& note) {
      say("{}", wrap_message(stderr, "note: " + printable(name_flags(note, flags.options)), 6));
    };
  const auto run = start(**context, listener);
  if (!run) return report(run.error(), flags);
  Result<app::RunSummary> summary;
  {
    const Interrupts interrupts([&run] { run->stop(); });
    summary = run->wait();
  }
  bar.clear();
  if (!summary) return report(summary.error(), flags);
  if (look_at) look_at(*summary);
  if (!flags.quiet || summary->stopped) print_summary(**context, *summary, flags);
  if (flags.json)
    print_json(app::to_json(*summary));
  else if (!flags.quiet)
    print_results(*summary);
  return exit_code_of(*summary);
}

}  // namespace personascope::cli
