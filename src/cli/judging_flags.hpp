// How judges are asked, for the commands that ask some.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "app/judge.hpp"

namespace personascope::cli {

// As it was typed.
struct JudgingFlags {
  std::string form = "auto";
  std::string rule = "mean";
  bool both_orders = false;
};

// --verdicts, --judge-repeats, --both-orders and --panel.
void add_judging_flags(CLI::App& command, JudgingFlags& flags, app::JudgeOptions& options);

// Puts what was typed into a command's options.
void read_judging_flags(const JudgingFlags& flags, app::JudgeOptions& options,
                        app::PanelRule& rule);

}  // namespace personascope::cli
