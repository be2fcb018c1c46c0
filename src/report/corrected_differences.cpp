#include "report/corrected_differences.hpp"

#include "report/estimate_json.hpp"
#include "report/scale.hpp"
#include "stats/judge_correction.hpp"

namespace personascope::report {
namespace {

// One run, as the correction takes it.
struct LabelledRun {
  std::vector<double> human;
  std::vector<double> judge_on_human;
  std::vector<double> judge_only;
};

struct LabelledPair {
  LabelledRun first;
  LabelledRun second;
  std::vector<std::size_t> labelled_clusters;
  std::vector<std::size_t> other_clusters;

  stats::LabelledSample sample(const LabelledRun& run, bool is_clustered) const {
    stats::LabelledSample sample{run.human, run.judge_on_human, run.judge_only, {}, {}};
    if (is_clustered) {
      sample.human_clusters = labelled_clusters;
      sample.judge_only_clusters = other_clusters;
    }
    return sample;
  }
};

LabelledPair make_labelled_pair(const ScoreTable& table, std::size_t run, std::size_t runs) {
  const std::size_t both[] = {0, run};
  const CompleteRows judged = complete_rows(table, both);
  LabelledPair pair;
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    const auto& first_label = table.columns[runs].cells[judged.rows[i]];
    const auto& second_label = table.columns[runs + run].cells[judged.rows[i]];
    const bool is_labelled = first_label && second_label;
    if (is_labelled) {
      pair.first.human.push_back(*first_label);
      pair.second.human.push_back(*second_label);
    }
    const auto judge = is_labelled ? &LabelledRun::judge_on_human : &LabelledRun::judge_only;
    (pair.first.*judge).push_back(judged.values[0][i]);
    (pair.second.*judge).push_back(judged.values[1][i]);
    (is_labelled ? pair.labelled_clusters : pair.other_clusters).push_back(judged.clusters[i]);
  }
  return pair;
}

}  // namespace

Result<std::vector<CorrectedDifference>> correct_differences(const ScoreTable& table,
                                                             const CompareOptions& options) {
  const std::size_t runs = table.columns.size() / 2;
  if (runs < 2 || table.columns.size() % 2 != 0)
    return fail(ErrorKind::Invalid, "labels are needed for every run: one column or file each");
  const stats::Scale scale = options.scale.value_or(stats::Scale{});
  RETURN_IF_ERROR(check_on_scale(table, scale));
  const double tails = (1 - options.confidence) / static_cast<double>(runs - 1);
  stats::CorrectionOptions correction;
  correction.seed = options.seed;
  correction.bounds = {.scale = scale, .confidence = 1 - tails};
  std::vector<CorrectedDifference> rows;
  for (std::size_t run = 1; run < runs; ++run) {
    const LabelledPair pair = make_labelled_pair(table, run, runs);
    const bool is_clustered = table.cluster_column.has_value();
    rows.push_back({.run = table.columns[run].name,
                    .baseline = table.columns.front().name,
                    .labels = pair.first.human.size(),
                    .difference = stats::correct_difference(pair.sample(pair.first, is_clustered),
                                                            pair.sample(pair.second, is_clustered),
                                                            correction)});
  }
  return rows;
}

Json to_json(const CorrectedDifference& corrected) {
  return {{"run", corrected.run},
          {"baseline", corrected.baseline},
          {"labels", corrected.labels},
          {"difference", to_json(corrected.difference)}};
}

}  // namespace personascope::report
