#include "stats/judge_correction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/bootstrap.hpp"
#include "stats/check.hpp"
#include "stats/distribution.hpp"
#include "stats/grouping.hpp"
#include "stats/rogan_gladen.hpp"
#include "stats/score_mean.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kFewestLabels = 10;
constexpr double kNotRandom = 0.01;

// Labelled items first, then the others, as one list.
struct AllItems {
  std::vector<double> judge;
  std::vector<std::size_t> clusters;
  std::size_t labelled = 0;
};

AllItems join_items(const LabelledSample& sample) {
  AllItems all;
  all.labelled = sample.human.size();
  all.judge.assign(sample.judge_on_human.begin(), sample.judge_on_human.end());
  all.judge.insert(all.judge.end(), sample.judge_only.begin(), sample.judge_only.end());
  all.clusters.assign(sample.human_clusters.begin(), sample.human_clusters.end());
  all.clusters.insert(all.clusters.end(), sample.judge_only_clusters.begin(),
                      sample.judge_only_clusters.end());
  if (all.clusters.empty()) {
    all.clusters.resize(all.judge.size());
    std::iota(all.clusters.begin(), all.clusters.end(), std::size_t{0});
  }
  return all;
}

// Does the judge score labelled and other items alike? Each cluster pulls on both means at once.
std::optional<double> find_random_labels_p(const AllItems& all) {
  const auto judge = std::span(all.judge);
  const double labelled_mean = mean_of(judge.first(all.labelled));
  const double other_mean = mean_of(judge.subspan(all.labelled));
  const double labelled = real(all.labelled);
  const double others = real(judge.size()) - labelled;
  std::vector<double> pulls;
  for (std::size_t i = 0; i < judge.size(); ++i) {
    pulls.push_back(i < all.labelled ? (judge[i] - labelled_mean) / labelled
                                     : (other_mean - judge[i]) / others);
  }
  const Grouping clusters = make_grouping(all.clusters);
  // As in the correction, the labelled clusters are those that count.
  const double count = real(make_grouping(std::span(all.clusters).first(all.labelled)).count);
  if (count < 5) return std::nullopt;
  Sum squares;
  for (const double pull : total_by_cluster(pulls, clusters).sums) squares.add(pull * pull);
  const double error = std::sqrt(squares.value() * count / (count - 1));
  if (!(error > 0)) return std::nullopt;
  return t_two_sided_p((labelled_mean - other_mean) / error, count - 1);
}

bool is_pass_or_fail(std::span<const double> scores) {
  return std::ranges::all_of(scores, [](double score) { return score == 0 || score == 1; });
}

// Labelled rows have numbers below human.size().
JudgeCounts count_verdicts(const LabelledSample& sample, std::span<const std::size_t> rows) {
  JudgeCounts counts;
  for (const std::size_t row : rows) {
    if (row >= sample.human.size()) {
      ++counts.judged;
      counts.judged_pass += sample.judge_only[row - sample.human.size()] == 1;
    } else if (sample.human[row] == 1) {
      ++counts.human_pass;
      counts.judge_pass_too += sample.judge_on_human[row] == 1;
    } else {
      ++counts.human_fail;
      counts.judge_fail_too += sample.judge_on_human[row] == 0;
    }
  }
  return counts;
}

// The rate of all items, if the unlabelled ones have this: what is labelled is known.
double rate_of_all(double unlabelled_rate, const JudgeCounts& counts) {
  const double labelled = real(counts.human_pass + counts.human_fail);
  const double others = real(counts.judged);
  return (real(counts.human_pass) + unlabelled_rate * others) / (labelled + others);
}

Estimate estimate_of_all(Estimate unlabelled, const JudgeCounts& counts) {
  const double share = rate_of_all(1, counts) - rate_of_all(0, counts);
  if (unlabelled.standard_error) *unlabelled.standard_error *= share;
  if (unlabelled.interval)
    unlabelled.interval = Interval{rate_of_all(unlabelled.interval->low, counts),
                                   rate_of_all(unlabelled.interval->high, counts)};
  unlabelled.value = rate_of_all(unlabelled.value, counts);
  return unlabelled;
}

Result<Estimate> correct_rate(const LabelledSample& sample, const AllItems& all,
                              const CorrectionOptions& options) {
  std::vector<std::size_t> rows(all.judge.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (sample.human_clusters.empty()) {
    const JudgeCounts counts = count_verdicts(sample, rows);
    ASSIGN_OR_RETURN(Estimate others, rogan_gladen(counts, options.bounds.confidence));
    return estimate_of_all(std::move(others), counts);
  }
  const auto plain = [&](std::span<const std::size_t> drawn) -> Result<double> {
    const JudgeCounts counts = count_verdicts(sample, drawn);
    ASSIGN_OR_RETURN(const double rate, rogan_gladen_plain(counts));
    return rate_of_all(std::clamp(rate, 0.0, 1.0), counts);
  };
  ASSIGN_OR_RETURN(
      Estimate estimate,
      bootstrap(all.clusters, plain,
                {.replicates = 1999,
                 .seed = options.seed,
                 .threads = options.threads,
                 .interval = BootstrapInterval::Percentile,
                 .bounds = {.scale = kUnitScale, .confidence = options.bounds.confidence}}));
  estimate.method = "Rogan-Gladen, " + estimate.method;
  return estimate;
}

Result<void> check_input(const LabelledSample& sample, const Scale& scale) {
  if (sample.human.size() < kFewestLabels) {
    return fail(ErrorKind::Invalid,
                "{} label{} too few to correct a judge; label at least {} items, better 50",
                sample.human.size(), sample.human.size() == 1 ? " is" : "s are", kFewestLabels);
  }
  RETURN_IF_ERROR(check_on_scale(sample.human, scale, "human scores"));
  RETURN_IF_ERROR(check_on_scale(sample.judge_on_human, scale, "judge scores of labelled items"));
  if (!sample.judge_only.empty()) {
    RETURN_IF_ERROR(check_on_scale(sample.judge_only, scale, "judge scores of other items"));
  }
  return check_same_size(sample.human.size(), sample.judge_on_human.size(),
                         "human and judge scores of labelled items");
}

Result<void> correct_chosen(JudgeCorrection& correction, const LabelledSample& sample,
                            const AllItems& all, const CorrectionOptions& options,
                            const std::string& why) {
  if (!is_pass_or_fail(sample.human) || !is_pass_or_fail(all.judge)) {
    return fail(ErrorKind::Invalid,
                "{}; then only passes and fails (0 and 1) can be corrected: label items drawn at "
                "random from the run",
                why);
  }
  ASSIGN_OR_RETURN(correction.corrected, correct_rate(sample, all, options));
  correction.rule =
      why +
      ": Rogan-Gladen, which assumes only that the judge's error rates are the same for all items";
  return {};
}

}  // namespace

Result<JudgeCorrection> correct_judge(const LabelledSample& sample,
                                      const CorrectionOptions& options) {
  RETURN_IF_ERROR(check_input(sample, options.bounds.scale));
  const AllItems all = join_items(sample);
  RETURN_IF_ERROR(check_same_size(all.judge.size(), all.clusters.size(), "scores and clusters"));
  const std::span<const std::size_t> labelled_clusters =
      std::span(all.clusters).first(all.labelled);
  JudgeCorrection correction;
  ASSIGN_OR_RETURN(correction.judge_alone, score_mean(all.judge, all.clusters, options.bounds));
  ASSIGN_OR_RETURN(correction.labels_alone,
                   score_mean(sample.human, labelled_clusters, options.bounds));
  if (sample.judge_only.empty()) {
    correction.corrected = correction.labels_alone;
    correction.rule = "every item is labelled: the mean of the labels is used";
    return correction;
  }
  correction.random_labels_p_value = find_random_labels_p(all);
  if (options.sampling == LabelSampling::Chosen) {
    RETURN_IF_ERROR(
        correct_chosen(correction, sample, all, options, "the labels were not drawn at random"));
    return correction;
  }
  if (correction.random_labels_p_value.value_or(1) < kNotRandom) {
    const std::string why = fmt::format(
        "the labels do not seem to be drawn at random: the judge scores labelled and other items "
        "differently (p = {:.2g})",
        *correction.random_labels_p_value);
    RETURN_IF_ERROR(correct_chosen(correction, sample, all, options, why));
    return correction;
  }
  ASSIGN_OR_RETURN(correction.corrected,
                   prediction_powered_mean(sample, {.tuning = PpiTuning::CrossFit,
                                                    .folds = 5,
                                                    .seed = options.seed,
                                                    .bounds = options.bounds}));
  correction.rule = "labels drawn at random: PPI++ with cross-fitting";
  if (correction.corrected.has(Caveat::NoVariation)) {
    correction.corrected = correction.labels_alone;
    correction.rule = "all labels are equal, so they cannot correct the judge: their mean is used";
  }
  return correction;
}

}  // namespace personascope::stats
