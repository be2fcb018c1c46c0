#include "stats/judge_correction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "stats/bootstrap.hpp"
#include "stats/check.hpp"
#include "stats/clustered.hpp"
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

// What is drawn together when labels are drawn: single items, or whole clusters.
struct DrawnUnit {
  double sum = 0;
  double rows = 0;
};

// The units, the labelled ones first.
struct DrawnUnits {
  std::vector<DrawnUnit> units;
  std::size_t labelled = 0;
};

DrawnUnits units_of(const AllItems& all) {
  const Grouping clusters = make_grouping(all.clusters);
  std::vector<DrawnUnit> whole(clusters.count);
  std::vector<double> labelled_rows(clusters.count);
  for (std::size_t i = 0; i < all.judge.size(); ++i) {
    whole[clusters.of_row[i]].sum += all.judge[i];
    ++whole[clusters.of_row[i]].rows;
    labelled_rows[clusters.of_row[i]] += i < all.labelled ? 1 : 0;
  }
  DrawnUnits drawn;
  bool is_whole = true;
  for (std::size_t g = 0; g < clusters.count; ++g) {
    is_whole = is_whole && (labelled_rows[g] == 0 || labelled_rows[g] == whole[g].rows);
    drawn.labelled += labelled_rows[g] > 0 ? 1 : 0;
  }
  // Clusters are numbered by first appearance, so the labelled ones come first.
  if (is_whole) {
    drawn.units = std::move(whole);
    return drawn;
  }
  drawn.labelled = all.labelled;
  for (const double score : all.judge) drawn.units.push_back({score, 1});
  return drawn;
}

// Does the judge score labelled and other items alike? Other draws of as many labels tell.
std::optional<double> find_random_labels_p(const AllItems& all, std::uint64_t seed) {
  constexpr std::size_t kOtherDraws = 1999;
  const auto labelled_clusters = std::span(all.clusters).first(all.labelled);
  if (make_grouping(labelled_clusters).count < 5) return std::nullopt;
  if (!(squared_deviations(all.judge) > 0)) return std::nullopt;
  DrawnUnits drawn = units_of(all);
  const double sum = sum_of(all.judge);
  const double rows = real(all.judge.size());
  const auto gap = [&] {
    DrawnUnit first;
    for (const DrawnUnit& unit : std::span(drawn.units).first(drawn.labelled)) {
      first.sum += unit.sum;
      first.rows += unit.rows;
    }
    return std::abs(first.sum / first.rows - (sum - first.sum) / (rows - first.rows));
  };
  const double observed = gap() * (1 - 1e-12);
  Random random(seed, "random labels");
  std::size_t as_large = 1;
  for (std::size_t draw = 0; draw < kOtherDraws; ++draw) {
    for (std::size_t i = 0; i < drawn.labelled; ++i)
      std::swap(drawn.units[i], drawn.units[i + random.below(drawn.units.size() - i)]);
    as_large += gap() >= observed ? 1 : 0;
  }
  return real(as_large) / real(kOtherDraws + 1);
}

// PPI++ with the interval's shape from the labels' own: t with few labels, and near an end of the
// scale what score_mean allows for.
Result<Estimate> correct_random(const LabelledSample& sample, const Estimate& labels_alone,
                                const CorrectionOptions& options) {
  ASSIGN_OR_RETURN(Estimate corrected,
                   prediction_powered_mean(sample, {.tuning = PpiTuning::CrossFit,
                                                    .folds = 5,
                                                    .seed = options.seed,
                                                    .bounds = options.bounds}));
  if (!corrected.interval) return corrected;
  // Near an end, what the labels have not seen the judge cannot tell: the interval is not narrowed.
  const bool is_near_end = labels_alone.interval && !labels_alone.df;
  const double error =
      is_near_end ? std::max(*corrected.standard_error, labels_alone.standard_error.value_or(0))
                  : *corrected.standard_error;
  const auto interval =
      stretched_interval(labels_alone, corrected.value, error, options.bounds.scale);
  if (!interval) return corrected;
  corrected.interval = interval;
  corrected.df = labels_alone.df;
  corrected.method = "PPI++, cross-fit, " + labels_alone.method;
  std::erase(corrected.caveats, Caveat::NearScaleEnd);
  if (labels_alone.has(Caveat::RareClusters)) corrected.caveats.push_back(Caveat::RareClusters);
  return corrected;
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
  correction.random_labels_p_value = find_random_labels_p(all, options.seed);
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
  ASSIGN_OR_RETURN(correction.corrected, correct_random(sample, correction.labels_alone, options));
  correction.rule = "labels drawn at random: PPI++ with cross-fitting";
  if (correction.corrected.has(Caveat::NoVariation)) {
    correction.corrected = correction.labels_alone;
    correction.rule = "all labels are equal, so they cannot correct the judge: their mean is used";
  }
  return correction;
}

Result<Estimate> correct_difference(const LabelledSample& first, const LabelledSample& second,
                                    const CorrectionOptions& options) {
  RETURN_IF_ERROR(check_input(first, options.bounds.scale));
  RETURN_IF_ERROR(check_input(second, options.bounds.scale));
  const auto subtract = [](std::span<const double> from,
                           std::span<const double> other) -> Result<std::vector<double>> {
    RETURN_IF_ERROR(check_same_size(from.size(), other.size(), "scores of both runs"));
    std::vector<double> differences;
    for (std::size_t i = 0; i < from.size(); ++i) differences.push_back(from[i] - other[i]);
    return differences;
  };
  ASSIGN_OR_RETURN(const auto human, subtract(second.human, first.human));
  ASSIGN_OR_RETURN(const auto judge_on_human,
                   subtract(second.judge_on_human, first.judge_on_human));
  ASSIGN_OR_RETURN(const auto judge_only, subtract(second.judge_only, first.judge_only));
  const LabelledSample differences{human, judge_on_human, judge_only, first.human_clusters,
                                   first.judge_only_clusters};
  const double width = options.bounds.scale.high - options.bounds.scale.low;
  CorrectionOptions of_differences = options;
  of_differences.bounds.scale = {-width, width};
  std::vector<std::size_t> clusters(first.human_clusters.begin(), first.human_clusters.end());
  if (clusters.empty()) {
    clusters.resize(human.size());
    std::iota(clusters.begin(), clusters.end(), std::size_t{0});
  }
  ASSIGN_OR_RETURN(const Estimate labels_alone,
                   clustered_mean(human, clusters, of_differences.bounds));
  if (judge_only.empty()) return labels_alone;
  const auto p = find_random_labels_p(join_items(differences), options.seed);
  if (p.value_or(1) < kNotRandom) {
    return fail(ErrorKind::Invalid,
                "the labels do not seem to be drawn at random: the judge sees another difference "
                "on labelled than on other items (p = {:.2g}); label items drawn at random",
                *p);
  }
  return correct_random(differences, labels_alone, of_differences);
}

}  // namespace personascope::stats
