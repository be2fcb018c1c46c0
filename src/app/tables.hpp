// Statistics on files of anybody's scores: compare, agreement, calibrate, judge card, plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/result.hpp"
#include "report/agreement.hpp"
#include "report/calibration.hpp"
#include "report/compare.hpp"
#include "report/judge_card.hpp"
#include "report/sample_plan.hpp"

namespace personascope::app {

struct CompareCommand {
  // One with several columns, or one a run; the number of a stored run in place of a file.
  std::vector<std::string> files;
  std::vector<std::string> columns;  // of a single file: the runs, the baseline first
  std::optional<std::string> id;     // of several files
  std::optional<std::string> score;  // of several files
  std::optional<std::string> cluster;
  std::optional<std::string> scale;
  report::CompareOptions options;
};
Result<report::Comparison> compare(Context& context, const CompareCommand& command);

struct AgreementCommand {
  std::string file;
  std::optional<std::string> id;    // nothing: the first column
  std::vector<std::string> raters;  // none: every other column
  std::optional<std::string> cluster;
  std::optional<std::string> scale;
  report::AgreementOptions options;
};
Result<report::Agreement> agreement(const AgreementCommand& command);

struct CalibrateCommand {
  std::string file;
  std::string judge;
  std::string human;
  std::optional<std::string> id;
  std::optional<std::string> cluster;
  std::optional<std::string> scale;
  std::optional<std::string> output;  // a CSV file of each item's scores, which appears whole
  stats::CorrectionOptions options;
};
Result<report::Calibration> calibrate(const CalibrateCommand& command);

struct JudgeCardCommand {
  std::string file;
  std::string judge;
  std::string human;
  std::vector<std::string> repeats;
  std::optional<std::string> reversed;
  std::optional<std::string> length;
  std::optional<std::string> cluster;
  std::optional<std::string> scale;
  report::AgreementOptions options;
};
Result<report::JudgeCard> judge_card(const JudgeCardCommand& command);

struct PlanCommand {
  std::optional<std::string> pilot;  // else the deviations are given
  std::vector<std::string> columns;  // of the pilot: the score, or two runs
  std::optional<std::string> cluster;
  std::optional<double> between_deviation;
  std::optional<double> within_deviation;
  std::optional<std::size_t> questions;
  report::PlanGoal goal;
};
Result<report::SamplePlan> plan(const PlanCommand& command);

}  // namespace personascope::app
