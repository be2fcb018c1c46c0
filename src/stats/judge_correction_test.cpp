#include "stats/judge_correction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace personascope::stats {
namespace {

// Items of 20 personas with true scores of 0 or 1; the judge passes a fifth of what should fail.
struct JudgedRun {
  std::vector<double> human, judge_on_human, judge_only;
  std::vector<std::size_t> human_clusters, judge_only_clusters;
  double truth = 0;

  LabelledSample sample() const {
    return {human, judge_on_human, judge_only, human_clusters, judge_only_clusters};
  }
  LabelledSample alone() const { return {human, judge_on_human, judge_only, {}, {}}; }
};

enum class Labels { Random, OnlyHard };

JudgedRun make_run(std::uint64_t seed, std::size_t items, Labels labels) {
  JudgedRun run;
  for (std::size_t i = 0; i < items; ++i) {
    Random random(seed, "correction", {}, i);
    const double pass = random.unit() < 0.6 ? 1 : 0;
    const double judge = pass == 1 || random.unit() < 0.3 ? 1 : 0;
    run.truth += pass / static_cast<double>(items);
    const double chance = labels == Labels::Random || pass == 0 ? 0.2 : 0.05;
    if (random.unit() < chance) {
      run.human.push_back(pass);
      run.judge_on_human.push_back(judge);
      run.human_clusters.push_back(i % 20);
    } else {
      run.judge_only.push_back(judge);
      run.judge_only_clusters.push_back(i % 20);
    }
  }
  return run;
}

TEST(JudgeCorrection, UsesPpiForRandomLabelsAndCoversTheTruth) {
  int covered = 0;
  int raw_covered = 0;
  double gain = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const JudgedRun run = make_run(seed, 1500, Labels::Random);
    const auto correction = correct_judge(run.sample(), {.bounds = {.scale = kUnitScale}});
    if (!correction || correction->random_labels_p_value < 0.01) continue;
    EXPECT_NE(correction->corrected.method.find("PPI++"), std::string::npos);
    covered +=
        correction->corrected.interval->low <= 0.6 && 0.6 <= correction->corrected.interval->high;
    raw_covered += correction->judge_alone.interval->low <= 0.6 &&
                   0.6 <= correction->judge_alone.interval->high;
    gain += *correction->labels_alone.standard_error - *correction->corrected.standard_error;
  }
  EXPECT_GE(covered, 33);
  EXPECT_LE(raw_covered, 2);
  EXPECT_GT(gain, 0);
}

TEST(JudgeCorrection, UsesRoganGladenWhereLabelsWereChosen) {
  const JudgedRun run = make_run(3, 2000, Labels::OnlyHard);
  for (const LabelledSample& sample : {run.sample(), run.alone()}) {
    const auto seen = correct_judge(sample, {.bounds = {.scale = kUnitScale}}).value();
    EXPECT_LT(*seen.random_labels_p_value, 0.01);
    EXPECT_NE(seen.corrected.method.find("Rogan-Gladen"), std::string::npos);
    EXPECT_NEAR(seen.corrected.value, 0.6, 0.08);
    EXPECT_LT(seen.corrected.interval->low, 0.6);
    EXPECT_GT(seen.corrected.interval->high, 0.6);
  }
  const auto told =
      correct_judge(make_run(1, 1000, Labels::Random).sample(), {.sampling = LabelSampling::Chosen})
          .value();
  EXPECT_NE(told.corrected.method.find("Rogan-Gladen"), std::string::npos);
}

TEST(JudgeCorrection, NeverContradictsTheLabels) {
  // What the judge failed was left unlabelled, so its rate there is taken for 0; the 40 passes
  // among the 60 labels stay.
  std::vector<double> human(60, 1.0), judged(60, 1.0);
  std::fill_n(human.begin(), 20, 0.0);
  std::fill_n(judged.begin(), 12, 0.0);
  const std::vector<double> others(40, 0.0);
  LabelledSample sample;
  sample.human = human;
  sample.judge_on_human = judged;
  sample.judge_only = others;
  const CorrectionOptions options{.sampling = LabelSampling::Chosen};
  const Estimate alone = correct_judge(sample, options)->corrected;
  EXPECT_NEAR(alone.value, 0.4, 1e-12);
  EXPECT_GE(alone.interval->low, 0.4 - 1e-12);
  std::vector<std::size_t> labelled(60), unlabelled(40);
  for (std::size_t i = 0; i < 60; ++i) labelled[i] = i % 12;
  for (std::size_t i = 0; i < 40; ++i) unlabelled[i] = i % 12;
  sample.human_clusters = labelled;
  sample.judge_only_clusters = unlabelled;
  EXPECT_NEAR(correct_judge(sample, options)->corrected.value, 0.4, 1e-12);
}

TEST(JudgeCorrection, RefusesWithTheReason) {
  JudgedRun run = make_run(5, 2000, Labels::OnlyHard);
  for (double& score : run.human) score += 1;  // no longer passes and fails
  const auto levels = correct_judge(run.sample());
  ASSERT_FALSE(levels);
  EXPECT_NE(levels.error().message.find("do not seem to be drawn at random"), std::string::npos);

  const JudgedRun small = make_run(1, 30, Labels::Random);
  const auto few = correct_judge(small.sample());
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().message.find("too few"), std::string::npos);
  EXPECT_FALSE(correct_judge({}));
}

TEST(JudgeCorrection, TakesTheLabelsAloneWhereAllIsLabelled) {
  JudgedRun run = make_run(2, 500, Labels::Random);
  run.judge_only.clear();
  run.judge_only_clusters.clear();
  const auto correction = correct_judge(run.sample()).value();
  EXPECT_EQ(correction.corrected.value, correction.labels_alone.value);
  EXPECT_FALSE(correction.random_labels_p_value);
}

TEST(JudgeCorrection, LabelsThatAllAgreeKeepTheirOwnInterval) {
  const std::vector<double> labels(40, 5.0), others(200, 5.0);
  const CorrectionOptions options{.bounds = {.scale = {1, 5}}};
  const auto correction = correct_judge({labels, labels, others}, options).value();
  EXPECT_LT(correction.corrected.interval->low, 4.9) << "perfect labels do not make a sure thing";
  EXPECT_EQ(correction.corrected.interval->low, correction.labels_alone.interval->low);
}

TEST(JudgeCorrection, AJudgeThatNeverVariesAddsNothing) {
  JudgedRun run = make_run(4, 600, Labels::Random);
  for (double& score : run.judge_on_human) score = 1;
  for (double& score : run.judge_only) score = 1;
  const auto correction = correct_judge(run.sample()).value();
  EXPECT_NEAR(correction.corrected.value, correction.labels_alone.value, 1e-12);
  EXPECT_FALSE(correction.random_labels_p_value);
}

TEST(JudgeCorrection, CorrectsAPairedDifference) {
  // The second run passes a tenth more; the judge passes a fifth of what should fail.
  int covered = 0;
  double gain = 0;
  constexpr int kRuns = 60;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    JudgedRun first, second;
    for (std::size_t i = 0; i < 1000; ++i) {
      Random random(seed, "pairs", {}, i);
      const double ability = random.unit();
      const bool is_labelled = random.unit() < 0.15;
      const double lenient = random.unit();
      for (JudgedRun* run : {&first, &second}) {
        const double pass = ability < (run == &first ? 0.5 : 0.6) ? 1 : 0;
        const double judge = pass == 1 || lenient < 0.2 ? 1 : 0;
        (is_labelled ? run->judge_on_human : run->judge_only).push_back(judge);
        (is_labelled ? run->human_clusters : run->judge_only_clusters).push_back(i % 25);
        if (is_labelled) run->human.push_back(pass);
      }
    }
    const auto estimate =
        correct_difference(first.sample(), second.sample(), {.bounds = {.scale = kUnitScale}});
    ASSERT_TRUE(estimate);
    covered += estimate->interval->low <= 0.1 && 0.1 <= estimate->interval->high;
    const auto labels =
        correct_difference({first.human, first.human, {}, first.human_clusters, {}},
                           {second.human, second.human, {}, second.human_clusters, {}},
                           {.bounds = {.scale = kUnitScale}});
    gain += *labels->standard_error / *estimate->standard_error / kRuns;
  }
  EXPECT_GE(covered, 53);
  EXPECT_GT(gain, 1.2);  // the judge helps
  JudgedRun one;
  one.human.assign(12, 1.0);
  one.judge_on_human.assign(12, 1.0);
  one.judge_only.assign(5, 1.0);
  JudgedRun longer = one;
  longer.judge_only.push_back(0);
  EXPECT_FALSE(correct_difference(one.alone(), longer.alone(), {}));
}

TEST(JudgeCorrection, LabelsOfWholePersonasAreComparedAsPersonas) {
  // Personas differ much; six of twenty are labelled whole, as a random draw of personas would.
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    JudgedRun run;
    for (std::size_t persona = 0; persona < 20; ++persona) {
      Random random(seed, "whole", {}, persona);
      const double level = 1 + 4 * random.unit();
      for (int i = 0; i < 20; ++i) {
        const double score = std::clamp(std::round(level + random.unit() - 0.5), 1.0, 5.0);
        if (persona < 6) {
          run.human.push_back(score);
          run.judge_on_human.push_back(score);
          run.human_clusters.push_back(persona);
        } else {
          run.judge_only.push_back(score);
          run.judge_only_clusters.push_back(persona);
        }
      }
    }
    refused += !correct_judge(run.sample(), {.bounds = {.scale = {1, 5}}});
  }
  EXPECT_LE(refused, 4);
}

}  // namespace
}  // namespace personascope::stats
