// Gates: the conditions that a run must meet, for scripts and CI.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "report/gate.hpp"
#include "report/outcome_comparison.hpp"
#include "run/summary.hpp"

namespace personascope::app {

// For user interfaces, which include app, core and base only.
using report::GateCheck;
using report::GateEnd;
using report::Unscored;

struct RunGates {
  std::optional<double> fail_under;        // the score
  std::optional<double> fail_under_lower;  // the lower end of its 95 % interval
  std::optional<double> max_refused;       // below 1: a share of the items
  std::optional<double>
      max_failed;  // below 1: a share; nothing: no failure is allowed if there is another gate
  report::Unscored unscored = report::Unscored::Worst;
  std::optional<std::string> score;  // of items with several; nothing: the run's main one
  bool allow_cached = false;         // all answers of the model may be of earlier runs
  std::optional<std::string> junit;  // a file for the results

  bool any() const { return fail_under || fail_under_lower || max_refused || max_failed; }
};

// Before anything is spent: a limit must be on the scale of what the command ("gym run") measures.
// Fails as Invalid.
Result<void> check_limits(const RunGates& gates, std::string_view command, const Json& given);

// Whether a run that has just ended meets them; writes the JUnit file. Scores are computed from the
// items: for the gym the PersonaScore, else the mean over the items. A run that evaluated nothing
// is undecided. Fails if the items cannot be read or the file cannot be written.
Result<std::vector<report::GateCheck>> check_run(Context& context, const RunGates& gates,
                                                 const run::RunSummary& summary);

// If all answers of the model under test came from earlier runs: a sentence that says so. Reads the
// calls of the run's items only if the run re-used any answer.
Result<std::optional<std::string>> describe_cached(Context& context,
                                                   const run::RunSummary& summary);

// Writes the checks as a JUnit document, which appears whole.
Result<void> save_junit(const std::string& path, const std::string& suite,
                        const std::vector<report::GateCheck>& checks);

}  // namespace personascope::app
