#include "cli/run_command.hpp"

#include <gtest/gtest.h>

namespace personascope::cli {
namespace {

app::RunSummary make_stopped(ErrorKind kind) {
  app::RunSummary summary;
  summary.run.id = 7;
  summary.stopped = Error{kind, "why"};
  return summary;
}

TEST(ResumeCommand, NamesTheRun) {
  EXPECT_EQ(render_resume_command(make_stopped(ErrorKind::Cancelled), {}), "personascope resume 7");
}

TEST(ResumeCommand, NamesTheFilesThatTheRunNeeds) {
  CommonFlags flags;
  flags.context.store = "/tmp/it's here.db";
  flags.context.prices = "my-prices.yaml";
  EXPECT_EQ(render_resume_command(make_stopped(ErrorKind::Cancelled), flags),
            R"(personascope resume 7 --store '/tmp/it'\''s here.db' --prices my-prices.yaml)");
}

TEST(ResumeCommand, LeavesRoomAboveTheLimitsThatHeld) {
  app::RunSummary summary = make_stopped(ErrorKind::BudgetExhausted);
  summary.run.plan = {{"engine", {{"max_calls", 10}}}};  // as it was begun
  summary.engine.max_calls = 20;                         // as it was resumed
  summary.engine.max_cost_usd = 0.25;
  EXPECT_EQ(render_resume_command(summary, {}),
            "personascope resume 7 --max-calls 40 --max-cost 0.5");
  summary.stopped->kind = ErrorKind::Cancelled;
  EXPECT_EQ(render_resume_command(summary, {}), "personascope resume 7");
}

struct Watched {
  int code;
  std::string output;
  std::string errors;
};

Watched watch(const Result<app::RunSummary>& result, CommonFlags flags = {}) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code =
      watch_run(flags, [&](app::Context&, const app::Listener& listener) -> Result<app::Run> {
        return app::Run(7, listener.on_progress,
                        [&](const std::stop_token&, const auto&) { return result; });
      });
  std::fflush(stdout);
  std::string output = testing::internal::GetCapturedStdout();
  return {code, std::move(output), testing::internal::GetCapturedStderr()};
}

TEST(WatchRun, EndsWithTheDocumentedExitCodes) {
  app::RunSummary done;
  EXPECT_EQ(watch(done).code, 0);
  done.too_many_failures = true;
  EXPECT_EQ(watch(done).code, 1);
  const std::pair<ErrorKind, int> stops[] = {{ErrorKind::Cancelled, 130},
                                             {ErrorKind::BudgetExhausted, 1},
                                             {ErrorKind::Unauthorized, 1},
                                             {ErrorKind::Storage, 1}};
  for (const auto& [kind, code] : stops)
    EXPECT_EQ(watch(make_stopped(kind)).code, code) << name_of(kind);
  const std::pair<ErrorKind, int> errors[] = {{ErrorKind::Invalid, 2},
                                              {ErrorKind::NotFound, 2},
                                              {ErrorKind::Unauthorized, 2},
                                              {ErrorKind::Storage, 1},
                                              {ErrorKind::Internal, 1}};
  for (const auto& [kind, code] : errors)
    EXPECT_EQ(watch(fail(kind, "{}", "why")).code, code) << name_of(kind);
}

TEST(WatchRun, PrintsTheCommandThatGoesOn) {
  const Watched stopped = watch(make_stopped(ErrorKind::BudgetExhausted));
  EXPECT_NE(stopped.errors.find("stopped: why"), std::string::npos);
  EXPECT_NE(stopped.errors.find("personascope resume 7"), std::string::npos);
  EXPECT_EQ(stopped.output, "");
}

TEST(WatchRun, PointsAReplayToWhatIsMissing) {
  app::RunSummary summary = make_stopped(ErrorKind::NotFound);
  summary.engine.replay = true;
  const Watched watched = watch(summary);
  EXPECT_NE(watched.errors.find("personascope explain-miss 7"), std::string::npos);
  EXPECT_EQ(watched.errors.find("resume"), std::string::npos) << "it would only miss again";
}

TEST(WatchRun, AdvisesToTryAgainOnlyWhatMayPass) {
  app::RunSummary summary;
  summary.run.id = 7;
  summary.progress.outcomes[core::Outcome::Failed] = 2;
  CommonFlags flags;
  flags.context.store = "my.db";
  const Watched hopeless = watch(summary, flags);
  EXPECT_NE(hopeless.errors.find("personascope show 7 --store my.db"), std::string::npos);
  EXPECT_EQ(hopeless.errors.find("resume"), std::string::npos);
  summary.may_pass = true;
  EXPECT_NE(watch(summary, flags).errors.find("personascope resume 7 --store my.db"),
            std::string::npos);
}

TEST(WatchRun, PrintsOneDocumentForMachines) {
  CommonFlags flags;
  flags.json = true;
  const Watched done = watch(make_stopped(ErrorKind::Cancelled), flags);
  const auto json = parse_json(done.output);
  ASSERT_TRUE(json) << done.output;
  EXPECT_EQ((*json)["run"], 7);
  EXPECT_EQ((*json)["error"]["kind"], "cancelled");
  const auto error = parse_json(watch(fail(ErrorKind::Invalid, "{}", "line 7"), flags).output);
  ASSERT_TRUE(error);
  EXPECT_EQ((*error)["error"]["message"], "line 7");
}

TEST(WatchRun, IsSilentWhenAsked) {
  CommonFlags flags;
  flags.quiet = true;
  EXPECT_EQ(watch(app::RunSummary{}, flags).errors, "");
  EXPECT_NE(watch(make_stopped(ErrorKind::Storage), flags).errors, "") << "but not about a stop";
}

TEST(VariableOf, IsTheFlagInCapitals) {
  EXPECT_EQ(variable_of("--max-cost"), "PERSONASCOPE_MAX_COST");
  EXPECT_EQ(variable_of("-m,--model"), "PERSONASCOPE_MODEL");
}

}  // namespace
}  // namespace personascope::cli
