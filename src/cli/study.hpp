// Studies on the command line: progress of each run, gates, and the leaderboard at the end.
#pragma once

#include "app/study_run.hpp"
#include "cli/command.hpp"

namespace personascope::cli {

// What every run would take, and all together; returns the exit code.
int show_study_estimate(const app::Study& study, const CommonFlags& flags);

// Carries the study out; Ctrl-C stops it. Returns the exit code: that of a run that was stopped or
// failed, else that of the gates.
int watch_study(const app::Study& study, const app::StudyRequest& request, const CommonFlags& flags,
                bool yes);

}  // namespace personascope::cli
