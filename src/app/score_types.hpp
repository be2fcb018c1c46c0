// The types of the statistics on scores that user interfaces show: they include app, core and base
// only.
#pragma once

#include "report/agreement.hpp"
#include "report/calibration.hpp"
#include "report/compare.hpp"
#include "report/judge_card.hpp"
#include "report/sample_plan.hpp"
#include "stats/estimate.hpp"
#include "stats/reasons.hpp"

namespace personascope::app {

using report::Agreement;
using report::Better;
using report::CalibratedScore;
using report::Calibration;
using report::Coefficient;
using report::Comparison;
using report::Fitness;
using report::has_worse;
using report::JudgeCard;
using report::name_of;
using report::PlanRow;
using report::Quantity;
using report::RaterPair;
using report::RunDifference;
using report::RunMean;
using report::SamplePlan;
using report::Unmatched;
using stats::BudgetAdvice;
using stats::BudgetOption;
using stats::Caveat;
using stats::JudgeCorrection;
using stats::kSmallestAlpha;
using stats::LabelSampling;
using stats::Level;
using stats::Weight;

// `app::Estimate` is what a run would cost.
using ScoreEstimate = stats::Estimate;
using ScoreInterval = stats::Interval;
// What a comparison concludes; a judge's verdict is something else.
using ComparisonVerdict = report::Verdict;

}  // namespace personascope::app
