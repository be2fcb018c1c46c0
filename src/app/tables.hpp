// Statistics on scores, of files or of stored runs: agreement, calibrate, judge card, plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/score_sources.hpp"
#include "app/score_types.hpp"
#include "base/result.hpp"

namespace personascope::app {

struct AgreementCommand {
  // One file with a column a rater, one run with a panel of judges, or several runs or files, each
  // a rater.
  std::vector<std::string> sources;
  std::optional<std::string> id;     // nothing: "id", else the first column
  std::optional<std::string> score;  // of several
  std::vector<std::string> raters;   // none: every other column
  std::optional<std::string> cluster;
  std::optional<std::string> scale;
  report::AgreementOptions options;
};
Result<Agreement> agreement(Context& context, const AgreementCommand& command);

struct CalibrateCommand {
  JudgedItems items;
  std::optional<std::string> scale;
  std::optional<std::string> output;  // a CSV file of each item's scores, which appears whole
  stats::CorrectionOptions options;
};
Result<Calibration> calibrate(Context& context, const CalibrateCommand& command);

struct JudgeCardCommand {
  JudgedItems items;                    // without `runs` and `columns`
  std::vector<std::string> repeats;     // columns of one file; beside a run, other runs' numbers
  std::optional<std::string> reversed;  // likewise
  std::optional<std::string> length;    // a column of the file, or of the labels
  std::optional<std::string> scale;
  report::AgreementOptions options;
};
Result<JudgeCard> judge_card(Context& context, const JudgeCardCommand& command);

struct PlanCommand {
  // A file, or one or two stored runs; else the deviations are given.
  std::vector<std::string> pilot;
  std::vector<std::string> columns;  // of the file: the score, or two runs
  std::optional<std::string> score;  // of runs whose items have several
  std::optional<std::string> id;     // of the file; nothing: "id"
  std::optional<std::string> cluster;
  std::optional<double> between_deviation;
  std::optional<double> within_deviation;
  std::optional<std::size_t> questions;
  report::PlanGoal goal;
};
Result<SamplePlan> plan(Context& context, const PlanCommand& command);

}  // namespace personascope::app
