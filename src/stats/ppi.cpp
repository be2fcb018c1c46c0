#include "stats/ppi.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "stats/check.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kFewLabels = 50;

Result<void> check_sample(const LabelledSample& sample) {
  RETURN_IF_ERROR(check_values(sample.human, "human scores"));
  RETURN_IF_ERROR(check_values(sample.judge_on_human, "judge scores of labelled items"));
  RETURN_IF_ERROR(check_values(sample.judge_only, "judge scores of other items"));
  RETURN_IF_ERROR(check_same_size(sample.human.size(), sample.judge_on_human.size(),
                                  "human and judge scores of labelled items"));
  if (sample.human.size() < 2) return fail(ErrorKind::Invalid, "a correction needs 2 labels");
  if (sample.human_clusters.empty() && sample.judge_only_clusters.empty()) return {};
  RETURN_IF_ERROR(check_same_size(sample.human.size(), sample.human_clusters.size(),
                                  "labels and their cluster keys"));
  return check_same_size(sample.judge_only.size(), sample.judge_only_clusters.size(),
                         "other items and their cluster keys");
}

// How far the judge should count: the weight that makes the variance least, within 0..1.
double tuned_weight(std::span<const double> human, std::span<const double> judge_on_human,
                    std::span<const double> judge_only) {
  std::vector<double> all(judge_on_human.begin(), judge_on_human.end());
  all.insert(all.end(), judge_only.begin(), judge_only.end());
  const double variance = squared_deviations(all) / (real(all.size()) - 1);
  if (!(variance > 0)) return 0;
  const double n = real(human.size());
  const double covariance = cross_deviations(human, judge_on_human) / n;
  return std::clamp(covariance / ((1 + n / real(judge_only.size())) * variance), 0.0, 1.0);
}

// The fold of each label; labels of one cluster share theirs.
std::vector<std::size_t> assign_folds(const Grouping& labelled, const PpiOptions& options) {
  std::vector<std::size_t> order(labelled.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(options.seed, "ppi folds");
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::size_t> fold_of_cluster(labelled.count);
  for (std::size_t i = 0; i < order.size(); ++i) fold_of_cluster[order[i]] = i % options.folds;
  std::vector<std::size_t> folds;
  for (const std::size_t cluster : labelled.of_row) folds.push_back(fold_of_cluster[cluster]);
  return folds;
}

Grouping group_labels(const LabelledSample& sample) {
  if (!sample.human_clusters.empty()) return make_grouping(sample.human_clusters);
  Grouping alone;
  alone.count = sample.human.size();
  alone.of_row.resize(alone.count);
  std::iota(alone.of_row.begin(), alone.of_row.end(), std::size_t{0});
  return alone;
}

// The weight for each label, learnt from the other folds' labels.
Result<std::vector<double>> cross_fit_weights(const LabelledSample& sample,
                                              const PpiOptions& options) {
  const Grouping labelled = group_labels(sample);
  if (options.folds < 2 || labelled.count < options.folds) {
    return fail(ErrorKind::Invalid, "{} labelled clusters cannot be cut into {} folds",
                labelled.count, options.folds);
  }
  const std::vector<std::size_t> folds = assign_folds(labelled, options);
  std::vector<double> weight_of_fold;
  for (std::size_t fold = 0; fold < options.folds; ++fold) {
    std::vector<double> human;
    std::vector<double> judge;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] == fold) continue;
      human.push_back(sample.human[i]);
      judge.push_back(sample.judge_on_human[i]);
    }
    weight_of_fold.push_back(tuned_weight(human, judge, sample.judge_only));
  }
  std::vector<double> weights;
  for (const std::size_t fold : folds) weights.push_back(weight_of_fold[fold]);
  return weights;
}

Result<std::vector<double>> make_weights(const LabelledSample& sample, const PpiOptions& options) {
  const std::size_t n = sample.human.size();
  switch (options.tuning) {
    case PpiTuning::Full:
      return std::vector<double>(n, 1.0);
    case PpiTuning::Tuned:
      return std::vector<double>(
          n, tuned_weight(sample.human, sample.judge_on_human, sample.judge_only));
    case PpiTuning::CrossFit:
      break;
  }
  return cross_fit_weights(sample, options);
}

std::string_view method_of(PpiTuning tuning) {
  switch (tuning) {
    case PpiTuning::Full:
      return "PPI";
    case PpiTuning::Tuned:
      return "PPI++";
    case PpiTuning::CrossFit:
      return "PPI++, cross-fit";
  }
  return "";
}

// Labels corrected for the judge's error, and what they average to.
struct Corrected {
  std::vector<double> labels;
  double judge_mean = 0;  // over the other items
  double weight = 0;      // the labels' mean weight
};

Corrected correct(const LabelledSample& sample, std::span<const double> weights) {
  Corrected corrected;
  corrected.judge_mean = mean_of(sample.judge_only);
  corrected.weight = mean_of(weights);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    corrected.labels.push_back(sample.human[i] -
                               weights[i] * (sample.judge_on_human[i] - corrected.judge_mean));
  }
  return corrected;
}

double variance_alone(const LabelledSample& sample, const Corrected& corrected) {
  const double n = real(sample.human.size());
  const double others = real(sample.judge_only.size());
  return squared_deviations(corrected.labels) / (n * n) +
         corrected.weight * corrected.weight * squared_deviations(sample.judge_only) /
             (others * others);
}

// A cluster's items pull on both means at once, so its pulls are summed before they are squared.
// The labelled clusters' pulls are the larger ones by far, so only they are counted for CR1.
double variance_clustered(const LabelledSample& sample, const Corrected& corrected,
                          const Grouping& clusters, double labelled) {
  const double n = real(sample.human.size());
  const double others = real(sample.judge_only.size());
  const double mean = mean_of(corrected.labels);
  std::vector<double> pulls;
  for (const double label : corrected.labels) pulls.push_back((label - mean) / n);
  for (const double score : sample.judge_only) {
    pulls.push_back(corrected.weight * (score - corrected.judge_mean) / others);
  }
  Sum squares;
  for (const double pull : total_by_cluster(pulls, clusters).sums) squares.add(pull * pull);
  return labelled < 2 ? 0 : squares.value() * labelled / (labelled - 1);
}

}  // namespace

Result<Estimate> prediction_powered_mean(const LabelledSample& sample, const PpiOptions& options) {
  RETURN_IF_ERROR(check_sample(sample));
  ASSIGN_OR_RETURN(const std::vector<double> weights, make_weights(sample, options));
  const Corrected corrected = correct(sample, weights);
  Estimate estimate;
  estimate.value = mean_of(corrected.labels);
  estimate.n = sample.human.size() + sample.judge_only.size();
  estimate.method = method_of(options.tuning);
  if (sample.human.size() < kFewLabels) estimate.caveats.push_back(Caveat::FewLabels);
  if (sample.human_clusters.empty()) {
    estimate.clusters = sample.human.size();
    return with_normal_interval(std::move(estimate), variance_alone(sample, corrected),
                                options.bounds);
  }
  std::vector<std::size_t> keys(sample.human_clusters.begin(), sample.human_clusters.end());
  keys.insert(keys.end(), sample.judge_only_clusters.begin(), sample.judge_only_clusters.end());
  estimate.clusters = make_grouping(sample.human_clusters).count;
  estimate.method += ", clustered, CR1, t(G-1)";
  const double labelled = real(estimate.clusters);
  return with_t_interval(std::move(estimate),
                         variance_clustered(sample, corrected, make_grouping(keys), labelled),
                         labelled - 1, options.bounds);
}

}  // namespace personascope::stats
