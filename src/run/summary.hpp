// How a run ended, and what it found.
#pragma once

#include <optional>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/metric.hpp"
#include "run/options.hpp"
#include "run/progress.hpp"
#include "store/store.hpp"

namespace personascope::run {

// How a run ended.
struct RunSummary {
  store::RunRecord run;
  Progress progress;
  store::Spending spending;        // over all sessions
  EngineOptions engine;            // as this session was told to work
  std::optional<Error> stopped;    // why it did not end by itself
  bool too_many_failures = false;  // more failed items than --fail-on-error allows
  bool may_pass = false;           // some failed of what may be over when the run is resumed
  Json results;                    // what the run found, where its command finds anything
};

// What a run found.
struct Findings {
  Json results;                            // null if there is nothing to keep
  std::optional<core::Metric> headline{};  // the most important number
};

}  // namespace personascope::run
