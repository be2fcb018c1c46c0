#include "report/calibration.hpp"

#include <algorithm>
#include <map>

#include "report/estimate_json.hpp"
#include "report/scale.hpp"
#include "stats/isotonic.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kMostMapped = 100;

struct Labelled {
  std::vector<double> human, judge_on_human, judge_only;
  std::vector<std::size_t> human_clusters, judge_only_clusters;
  std::size_t unjudged = 0;
  bool has_only_outcomes = true;
};

Labelled split_by_label(const ScoreTable& table) {
  Labelled split;
  const auto is_outcome = [](double score) { return score == 0 || score == 1; };
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto& judge = table.columns[0].cells[row];
    const auto& human = table.columns[1].cells[row];
    if (!judge) {
      ++split.unjudged;
      continue;
    }
    split.has_only_outcomes &= is_outcome(*judge) && (!human || is_outcome(*human));
    (human ? split.human_clusters : split.judge_only_clusters).push_back(table.clusters[row]);
    (human ? split.judge_on_human : split.judge_only).push_back(*judge);
    if (human) split.human.push_back(*human);
  }
  return split;
}

Result<std::vector<CalibratedScore>> make_map(const Labelled& split) {
  ASSIGN_OR_RETURN(const auto fitted,
                   stats::IsotonicCalibration::create(split.judge_on_human, split.human));
  std::map<double, std::size_t> labels;
  for (const double judge : split.judge_on_human) ++labels[judge];
  std::vector<CalibratedScore> map;
  if (labels.size() > kMostMapped) return map;
  for (const auto& [judge, count] : labels) map.push_back({judge, fitted.at(judge), count});
  return map;
}

}  // namespace

Result<Calibration> calibrate(const ScoreTable& table, const std::optional<stats::Scale>& scale,
                              stats::CorrectionOptions options) {
  const Labelled split = split_by_label(table);
  if (split.human.empty()) {
    return fail(
        ErrorKind::Invalid,
        "no item has both a score of the judge and a human label, so nothing can be corrected");
  }
  Calibration calibration;
  calibration.items = split.human.size() + split.judge_only.size();
  calibration.labels = split.human.size();
  calibration.unjudged = split.unjudged;
  calibration.cluster_column = table.cluster_column;
  calibration.scale = scale;
  calibration.confidence = options.bounds.confidence;
  if (!scale && split.has_only_outcomes) calibration.scale = stats::kUnitScale;
  if (calibration.scale) {
    RETURN_IF_ERROR(check_on_scale(table, *calibration.scale, {0, 1}));
    options.bounds.scale = *calibration.scale;
  }

  stats::LabelledSample sample{split.human, split.judge_on_human, split.judge_only, {}, {}};
  if (table.cluster_column) {
    sample.human_clusters = split.human_clusters;
    sample.judge_only_clusters = split.judge_only_clusters;
  }
  ASSIGN_OR_RETURN(calibration.correction, stats::correct_judge(sample, options));
  const auto& alone = calibration.correction.labels_alone.standard_error;
  const auto& corrected = calibration.correction.corrected.standard_error;
  if (alone && corrected && *corrected > 0) {
    const double gain = *alone / *corrected;
    calibration.effective_labels = static_cast<double>(calibration.labels) * gain * gain;
  }
  ASSIGN_OR_RETURN(calibration.map, make_map(split));
  return calibration;
}

Result<std::vector<std::optional<double>>> calibrated_scores(const ScoreTable& table) {
  const Labelled split = split_by_label(table);
  ASSIGN_OR_RETURN(const auto fitted,
                   stats::IsotonicCalibration::create(split.judge_on_human, split.human));
  std::vector<std::optional<double>> scores;
  for (const auto& judge : table.columns[0].cells) {
    scores.push_back(judge ? std::optional(fitted.at(*judge)) : std::nullopt);
  }
  return scores;
}

Json to_json(const Calibration& calibration) {
  Json map = Json::array();
  for (const CalibratedScore& score : calibration.map) {
    map.push_back({{"judge", score.judge}, {"human", score.human}, {"labels", score.labels}});
  }
  const stats::JudgeCorrection& correction = calibration.correction;
  return {{"items", calibration.items},
          {"labels", calibration.labels},
          {"unjudged", calibration.unjudged},
          {"unmatched_labels", calibration.unmatched},
          {"cluster_column", to_json_or_null(calibration.cluster_column)},
          {"scale", calibration.scale ? to_json(*calibration.scale) : Json(nullptr)},
          {"confidence", calibration.confidence},
          {"corrected", to_json(correction.corrected)},
          {"judge_alone", to_json(correction.judge_alone)},
          {"labels_alone", to_json(correction.labels_alone)},
          {"random_labels_p_value", to_json_or_null(correction.random_labels_p_value)},
          {"rule", correction.rule},
          {"effective_labels", to_json_or_null(calibration.effective_labels)},
          {"map", map},
          {"warnings", calibration.warnings}};
}

}  // namespace personascope::report
