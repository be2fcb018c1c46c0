// The types of the engine that skins show to people, under one roof: a skin includes app, core and
// base only.
#pragma once

#include "llm/meter.hpp"
#include "run/estimate.hpp"
#include "run/explain.hpp"
#include "run/options.hpp"
#include "run/progress.hpp"
#include "run/session.hpp"
#include "store/store.hpp"

namespace personascope::app {

using llm::Meter;
using run::done;
using run::engine_options;
using run::EngineOptions;
using run::Estimate;
using run::MissExplanation;
using run::Progress;
using run::RunSummary;
using store::RunRecord;
using store::RunState;
using store::Spending;
using store::UnitRecord;

}  // namespace personascope::app
