// The types of the engine that skins show to people, under one roof: a skin includes app, core and
// base only.
#pragma once

#include "llm/meter.hpp"
#include "run/estimate.hpp"
#include "run/explain.hpp"
#include "run/options.hpp"
#include "run/progress.hpp"
#include "run/run.hpp"
#include "run/summary.hpp"
#include "store/store.hpp"

namespace personascope::app {

using core::ItemRecord;
using core::Outcome;
using core::OutcomeCounts;
using llm::Meter;
using run::done;
using run::engine_options;
using run::EngineOptions;
using run::Estimate;
using run::MissExplanation;
using run::Progress;
using run::Run;
using run::RunSummary;
using store::ItemCall;
using store::ItemDetails;
using store::ItemFilter;
using store::ItemOrder;
using store::present_state;
using store::Removal;
using store::RunEntry;
using store::RunFilter;
using store::RunRecord;
using store::RunState;
using store::Spending;

}  // namespace personascope::app
