// A judge's scores corrected by human labels: the run's mean, and a score for each of its items.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "report/score_table.hpp"
#include "stats/judge_correction.hpp"

namespace personascope::report {

// What humans gave on average where the judge gave this score, made rising.
struct CalibratedScore {
  double judge = 0;
  double human = 0;
  std::size_t labels = 0;  // that had this judge score
};

struct Calibration {
  std::size_t items = 0;      // that the judge scored
  std::size_t labels = 0;     // of those, labelled
  std::size_t unjudged = 0;   // left out: the judge gave no score
  std::size_t unmatched = 0;  // labels of no item, where they come from a file of their own
  std::optional<std::string> cluster_column;
  std::optional<stats::Scale> scale;
  double confidence = 0.95;
  stats::JudgeCorrection correction;
  // So many labels alone would give the corrected mean's error.
  std::optional<double> effective_labels;
  // Isotonic; one a judge score seen on labelled items, at most 100.
  std::vector<CalibratedScore> map;
  std::vector<std::string> warnings;  // about all of it, a sentence each
};

// The table's first column is the judge, the second the human labels, empty where there is none.
// Fails as stats::correct_judge refuses.
Result<Calibration> calibrate(const ScoreTable& table, const std::optional<stats::Scale>& scale,
                              stats::CorrectionOptions options);

// Each item's calibrated score; nothing where the judge gave none.
Result<std::vector<std::optional<double>>> calibrated_scores(const ScoreTable& table);

Json to_json(const Calibration& calibration);

}  // namespace personascope::report
