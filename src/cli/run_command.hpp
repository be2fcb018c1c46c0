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

// Opens the context, calls `carry_out` with a listener that draws progress, and shows the summary;
// returns the exit code.
int watch_run(
    const CommonFlags& flags,
    const std::function<Result<app::RunSummary>(app::Context&, const app::Listener&)>& carry_out,
    Questions questions = Questions::Ask);

// The command that takes the run up again, with a limit that leaves it room. Exposed for tests.
std::string render_resume_command(const app::RunSummary& summary, const CommonFlags& flags);

}  // namespace personascope::cli
