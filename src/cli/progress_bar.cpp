#include "cli/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "base/text.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr seconds kLineEvery{10};
constexpr milliseconds kQuickRun{500};  // shorter ones need no bar
constexpr std::size_t kWidestBar = 24;
constexpr std::size_t kShortestWait = 20;  // columns

// Whether the cursor stands behind a live line; there is one terminal.
std::atomic<bool> g_is_drawn = false;

// A second Ctrl-C ends the program at once: what comes next begins on a line of its own.
void leave_line() {
  if (g_is_drawn) say("\n");
}

double share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? std::min(1.0, static_cast<double>(part) / static_cast<double>(whole)) : 0;
}

std::string render_gauge(const app::Progress& progress, std::size_t cells) {
  const double share = std::max(share_of(app::done(progress), progress.items),
                                share_of(progress.meter.ended, progress.expected_calls));
  const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
  std::string gauge = "[";
  for (std::size_t i = 0; i < cells; ++i) gauge += i < full ? "█" : "·";
  return gauge + "]";
}

std::string render_cost(const app::Meter& meter) {
  if (meter.unpriced > 0 && meter.cost_usd == 0) return "cost unknown";
  return render_money(meter.cost_usd) + (meter.unpriced > 0 ? " and more" : "");
}

// The figures in order of interest; the last are left out where there is no room.
std::vector<std::string> figures_of(const app::Progress& progress) {
  const app::Meter& meter = progress.meter;
  std::vector<std::string> figures;
  figures.push_back(
      fmt::format("{}/{}", render_count(app::done(progress)), render_count(progress.items)));
  if (progress.stopping) figures.push_back("finishing what is in flight");
  if (!progress.waiting_for.empty()) figures.push_back(progress.waiting_for);
  // An item may take many calls, so that none is done for minutes.
  const std::int64_t calls = progress.meter.ended;
  if (progress.expected_calls > 0 && calls <= progress.expected_calls)
    figures.push_back(fmt::format("{} of about {} calls", render_count(calls),
                                  render_count(progress.expected_calls)));
  figures.push_back(progress.time_left
                        ? fmt::format("{} left", render_duration(*progress.time_left))
                        : fmt::format("{} so far", render_duration(progress.elapsed)));
  if (const std::int64_t failed = progress.outcomes[core::Outcome::Failed]; failed > 0)
    figures.push_back(fmt::format("{} failed", render_count(failed)));
  figures.push_back(fmt::format("{} in flight", meter.in_flight));
  if (meter.retried > 0) figures.push_back(fmt::format("{} retried", render_count(meter.retried)));
  figures.push_back(fmt::format("{:.{}f} calls/s", progress.calls_per_second,
                                progress.calls_per_second < 10 ? 1 : 0));
  if (meter.from_journal > 0)
    figures.push_back(fmt::format("{} from the journal", render_count(meter.from_journal)));
  figures.push_back(
      fmt::format("{} tokens", render_count(meter.input_tokens + meter.output_tokens)));
  figures.push_back(render_cost(meter));
  return figures;
}

}  // namespace

std::string render_bar(const app::Progress& progress, std::size_t columns) {
  std::string line =
      render_gauge(progress, std::min(kWidestBar, columns > 60 ? columns / 4 : std::size_t{8}));
  for (const std::string& figure : figures_of(progress)) {
    const std::size_t room = columns - std::min(columns, width(line) + 3);
    // Why nothing happens is said in any case, if only in part.
    const bool is_wait = figure == progress.waiting_for && room >= kShortestWait;
    if (width(figure) > room && !is_wait) break;
    line += (line.ends_with(']') ? " " : " · ") +
            (width(figure) > room ? shorten(figure, room - 1) : figure);
  }
  return line;
}

std::string render_progress_line(const app::Progress& progress) {
  return join(figures_of(progress), " · ");
}

ProgressBar::ProgressBar(Verbosity verbosity)
    : quiet_(verbosity == Verbosity::Quiet),
      live_(has_escapes(stderr)),
      next_line_(SteadyClock::now() + kLineEvery) {
  if (live_) std::at_quick_exit(leave_line);
}

void ProgressBar::show(const app::Progress& progress) {
  if (quiet_ || progress.elapsed < kQuickRun) return;
  if (live_) {
    const std::size_t room = columns(stderr) - 1;
    say("\r{}\x1b[K", render_bar(progress, room));
    std::fflush(stderr);
    g_is_drawn = true;
    return;
  }
  const TimePoint now = SteadyClock::now();
  if (now < next_line_) return;
  next_line_ = now + kLineEvery;
  say("{}\n", render_progress_line(progress));
}

void ProgressBar::clear() {
  if (!g_is_drawn) return;
  say("\r\x1b[K");
  std::fflush(stderr);
  g_is_drawn = false;
}

}  // namespace personascope::cli
