#include "run/run.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "run/batch_bench.hpp"

namespace personascope::run {
namespace {

using Bench = BatchBench;

// A run that ends when it is asked to.
Run start_idle_run() {
  return {3, {}, [](const std::stop_token& stop, const ProgressSink& on_progress) {
            Progress progress;
            progress.run = 3;
            progress.items = 9;
            on_progress(progress);
            std::promise<void> stopped;
            const std::stop_callback on_stop(stop, [&] { stopped.set_value(); });
            stopped.get_future().wait();
            RunSummary summary;
            summary.stopped = Error{ErrorKind::Cancelled, "interrupted"};
            return Result<RunSummary>(std::move(summary));
          }};
}

TEST(Run, CanBeWatchedStoppedAndAwaitedFromAnyThread) {
  const run::Run run = start_idle_run();
  EXPECT_EQ(run.id(), 3);
  EXPECT_FALSE(run.wait_for(milliseconds(20)));
  std::vector<std::thread> others;
  std::atomic<int> stopped = 0;
  for (int i = 0; i < 4; ++i)
    others.emplace_back([&] {
      EXPECT_EQ(run.progress().run, 3);
      run.stop();
      const auto summary = run.wait();
      if (summary && summary->stopped) ++stopped;
    });
  for (std::thread& other : others) other.join();
  EXPECT_EQ(stopped, 4);
  EXPECT_TRUE(run.wait_for(milliseconds(0)));
  EXPECT_EQ(run.progress().items, 9);
}

TEST(Run, IsStoppedAndAwaitedWhenItsHandleGoes) {
  std::atomic<bool> ended = false;
  {
    const run::Run run(1, {}, [&](const std::stop_token& stop, const ProgressSink&) {
      while (!stop.stop_requested()) std::this_thread::sleep_for(milliseconds(1));
      ended = true;
      return Result<RunSummary>();
    });
  }
  EXPECT_TRUE(ended);
}

TEST(Run, MakesAnErrorOfAnException) {
  const run::Run run(1, {}, [](const std::stop_token&, const ProgressSink&) -> Result<RunSummary> {
    throw std::runtime_error("no such luck");
  });
  const auto summary = run.wait();
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().kind, ErrorKind::Internal);
  EXPECT_EQ(summary.error().message, "internal error: no such luck");
}

TEST(Run, OneOfTwoInAProcessIsStoppedAndTheOtherEndsByItself) {
  Bench bench;
  BatchRequest slow = bench.make_plan(Bench::make_prompts(60, "[[delay 100]]"), "slow.jsonl");
  slow.engine.max_connections = 2;
  const std::string moved = bench.folder_.file("slow-in.jsonl");  // the next plan has the same name
  std::filesystem::rename(slow.input, moved);
  slow.input = moved;
  const BatchRequest quick =
      bench.make_plan(Bench::make_prompts(40, "[[delay 10]]"), "quick.jsonl");

  const auto first = bench.begin(slow);
  const auto second = bench.begin(quick);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->id(), second->id());
  while (done(first->progress()) == 0) ASSERT_FALSE(first->wait_for(milliseconds(5)));
  first->stop();

  const auto whole = second->wait();
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->stopped);
  EXPECT_EQ(whole->run.id, second->id());
  EXPECT_EQ(whole->run.state, store::RunState::Done);
  EXPECT_EQ(whole->run.outcomes.ok(), 40);
  EXPECT_EQ(whole->spending.calls, 40);
  EXPECT_TRUE(bench.exists("quick.jsonl"));

  const auto part = first->wait();
  ASSERT_TRUE(part);
  ASSERT_TRUE(part->stopped);
  EXPECT_EQ(part->stopped->kind, ErrorKind::Cancelled);
  EXPECT_EQ(part->run.state, store::RunState::Stopped);
  EXPECT_LT(done(part->progress), 60);
  EXPECT_FALSE(bench.exists("slow.jsonl"));

  const auto resumed = bench.resume(part->run.id);
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->run.outcomes.ok(), 60);
  EXPECT_EQ(bench.provider_.statistics().requests, 100u);
  EXPECT_EQ(bench.provider_.statistics().most_asked, 1u);
}

TEST(Run, TheSameRunIsNotCarriedOutTwiceAtOnce) {
  Bench bench;
  const BatchRequest plan = bench.make_plan(Bench::make_prompts(20, "[[delay 50]]"), "out.jsonl");
  const auto first = bench.begin(plan);
  ASSERT_TRUE(first);
  while (done(first->progress()) == 0) ASSERT_FALSE(first->wait_for(milliseconds(5)));
  const auto second = bench.resume(first->id());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(first->wait()->run.outcomes.ok(), 20);
}

}  // namespace
}  // namespace personascope::run
