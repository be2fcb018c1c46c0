// What the commands that carry out a run share: watching it, and saying how it ended.
#pragma once

#include <functional>
#include <string>

#include "app/context.hpp"
#include "app/run_types.hpp"
#include "cli/command.hpp"

namespace personascope::cli {

// What becomes of a question to the user: it is asked if there is a terminal, or answered with yes.
enum class Questions { Ask, AnswerYes };

using StartRun = std::function<Result<app::Run>(app::Context&, const app::Listener&)>;

// Opens the context, calls `start` with a listener that draws progress, waits for the run, and
// shows its summary; returns the exit code. Ctrl-C stops the run. `look_at`, if there is one, sees
// the summary of a run that could be carried out.
int watch_run(const CommonFlags& flags, const StartRun& start, Questions questions = Questions::Ask,
              const std::function<void(const app::RunSummary&)>& look_at = {});

// The command that takes the run up again, with a limit that leaves it room. Exposed for tests.
std::string render_resume_command(const app::RunSummary& summary, const CommonFlags& flags);

}  // namespace personascope::cli
