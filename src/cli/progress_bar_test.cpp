#include "cli/progress_bar.hpp"

#include <gtest/gtest.h>

#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

app::Progress make_progress() {
  app::Progress progress;
  progress.items = 2000;
  progress.outcomes[core::Outcome::Answered] = 900;
  progress.outcomes[core::Outcome::Refused] = 50;
  progress.outcomes[core::Outcome::Failed] = 50;
  progress.meter.in_flight = 12;
  progress.meter.retried = 3;
  progress.meter.from_journal = 100;
  progress.meter.input_tokens = 10'000;
  progress.meter.output_tokens = 2'000;
  progress.meter.cost_usd = 1.5;
  progress.calls_per_second = 41.6;
  progress.time_left = seconds(75);
  return progress;
}

TEST(ProgressBar, TellsEverythingOnAWideTerminal) {
  EXPECT_EQ(render_bar(make_progress(), 200),
            "[████████████············] 1,000/2,000 · 1 min 15 s left · 50 failed · 12 in flight · "
            "3 retried · 42 calls/s · 100 from the journal · 12,000 tokens · $1.50");
}

TEST(ProgressBar, MovesBeforeTheFirstItemIsDone) {
  app::Progress progress = make_progress();
  progress.outcomes = {};
  progress.time_left.reset();
  progress.elapsed = seconds(75);
  progress.meter.ended = 40;
  progress.meter.from_journal = 3;
  progress.calls_per_second = 0.44;
  progress.expected_calls = 160;
  EXPECT_EQ(render_bar(progress, 120),
            "[██████··················] 0/2,000 · 40 of about 160 calls · 1 min 15 s so far · "
            "12 in flight · 3 retried · 0.4 calls/s");
}

TEST(ProgressBar, NeverGrowsBeyondTheTerminal) {
  for (std::size_t columns = 10; columns < 220; ++columns)
    EXPECT_LE(width(render_bar(make_progress(), columns)), columns) << columns;
}

TEST(ProgressBar, SaysWhatIsBeingWaitedFor) {
  app::Progress progress = make_progress();
  progress.waiting_for = "waiting for the server's rate limit, 12 s (openai)";
  EXPECT_NE(render_bar(progress, 120).find(progress.waiting_for), std::string::npos);
  progress.waiting_for =
      "paused, waiting for the server to come back, next try in 2 s (no connection)";
  EXPECT_NE(render_bar(progress, 80).find("paused, waiting for the server"), std::string::npos);
  for (std::size_t columns = 10; columns < 220; ++columns)
    EXPECT_LE(width(render_bar(progress, columns)), columns) << columns;
  progress.stopping = true;
  EXPECT_NE(render_bar(progress, 60).find("finishing what is in flight"), std::string::npos);
}

TEST(ProgressBar, KeepsTheReasonAndTheAcknowledgementAt80Columns) {
  app::Progress progress = make_progress();
  progress.items = 200'000;
  progress.meter.ended = 123'456;
  progress.expected_calls = 1'200'000;
  progress.waiting_for = "waiting for the server's rate limit, 12 s (openai)";
  EXPECT_NE(render_bar(progress, 79).find("waiting for the server's rate"), std::string::npos);
  progress.waiting_for.clear();
  progress.stopping = true;
  EXPECT_NE(render_bar(progress, 79).find("finishing what is in flight"), std::string::npos);
}

TEST(ProgressBar, DoesNotTakeAnUnknownCostForZero) {
  app::Progress progress = make_progress();
  progress.meter.unpriced = 5;
  EXPECT_TRUE(render_progress_line(progress).ends_with("$1.50 and more"));
  progress.meter.cost_usd = 0;
  EXPECT_TRUE(render_progress_line(progress).ends_with("cost unknown"));
}

TEST(ProgressBar, SurvivesARunWithoutUnitsAndOneThatIsDone) {
  EXPECT_TRUE(render_bar({}, 80).starts_with("[·"));
  app::Progress done = make_progress();
  done.outcomes[core::Outcome::Answered] = 1900;
  EXPECT_EQ(render_bar(done, 200).find("·"), render_bar(done, 200).find(" · ") + 1)
      << "the gauge is full";
}

TEST(ProgressBar, WritesAPlainLineForAPipe) {
  const std::string line = render_progress_line(make_progress());
  EXPECT_TRUE(line.starts_with("1,000/2,000 · ")) << line;
  EXPECT_EQ(line.find_first_of("\r\n\x1b"), std::string::npos);
}

}  // namespace
}  // namespace personascope::cli
