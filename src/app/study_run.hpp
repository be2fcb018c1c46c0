// Carrying out a study: its runs one after the other, so that what they share (questions, example
// answers) is asked for once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.hpp"
#include "app/leaderboard.hpp"
#include "app/run_types.hpp"
#include "app/study.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::app {

enum class CellStart { New, Resumed, DoneBefore };
std::string_view name_of(CellStart start);  // "new", "resumed", "done before"

// How one run of the study ended.
struct CellEnd {
  std::size_t cell = 0;
  CellStart start = CellStart::New;
  RunSummary summary;
  std::vector<GateCheck> gates;
};

struct StudyEnd {
  std::vector<CellEnd> ended;    // in the order of the cells; those after a stop are missing
  std::optional<Error> stopped;  // why not all were carried out
  std::optional<Leaderboards>
      boards;  // of all runs that are done; nothing if there is nothing to rank
};

struct StudyListener {
  Listener run;  // of each run
  std::function<void(const StudyCell& cell, CellStart start)> on_start{};
  std::function<void(const StudyCell& cell, const CellEnd& end)> on_end{};
};

struct StudyRequest {
  bool again = false;  // start every run anew, even if it is done
};

// Checks the plans of all runs first; then starts each, or resumes it if the study was stopped in
// it, or takes it as it is if it is done. Blocks until the end. `stop` stops the run that is being
// carried out, and the study. Fails if a run cannot be planned, before anything is sent, or
// started.
Result<StudyEnd> carry_out_study(Context& context, const Study& study, const StudyRequest& request,
                                 const StudyListener& listener, std::stop_token stop);

// What every run would take, by model and role, one list a cell. What runs share is counted in
// each.
Result<std::vector<std::vector<Estimate>>> estimate_study(Context& context, const Study& study);

// What `--json` prints after a study.
Json to_json(const Study& study, const StudyEnd& end);

}  // namespace personascope::app
