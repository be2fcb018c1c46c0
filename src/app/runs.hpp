// The runs in the store, to look at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/context.hpp"
#include "app/run_types.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::app {

// Newest first.
Result<std::vector<RunRecord>> list_runs(Context& context, std::int64_t limit);

struct RunDetails {
  RunRecord run;
  Spending spending;
  std::vector<UnitRecord> units;  // those that were asked for
};

// With the units of that outcome, or the ones that did not end well if none is named.
Result<RunDetails> show_run(Context& context, std::int64_t id, std::optional<core::Outcome> outcome,
                            std::int64_t limit);

Json to_json(const RunRecord& run);
Json to_json(const RunDetails& details);
// What `--json` prints after a run.
Json to_json(const RunSummary& summary);

}  // namespace personascope::app
