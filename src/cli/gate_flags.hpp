// The flags of gates, and what a command says and returns when they are checked.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/gates.hpp"
#include "base/result.hpp"
#include "cli/catalog_command.hpp"

namespace personascope::cli {

// As add_catalog_command, with gates on what the run found. `check`, if given, is called before
// anything else.
CLI::App* add_gated_command(CLI::App& parent, const std::string& name, const char* examples,
                            std::function<Result<void>()> check = {});

// --unscored, which says how items without a score count. The help ends with `otherwise`, the
// default.
void add_unscored_flag(CLI::App& command, std::string& word, const std::string& otherwise);
// --max-refused, --max-failed and --junit.
void add_share_flags(CLI::App& command, std::optional<double>& max_refused,
                     std::optional<double>& max_failed, std::optional<std::string>& junit);

// One line a gate, on standard error. Returns the exit code: 1 if one is undecided, else 100 if one
// is missed, else 0.
int print_gates(const std::vector<app::GateCheck>& checks, const CommonFlags& flags);

}  // namespace personascope::cli
