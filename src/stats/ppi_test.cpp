#include "stats/ppi.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "stats/clustered.hpp"
#include "stats/golden_test.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

TEST(Ppi, AgreesWithPpiPy) {
  const Json& data = golden()["ppi"];
  const auto human = numbers(data["human"]);
  const auto judged = numbers(data["judge_on_human"]);
  const auto others = numbers(data["judge_only"]);
  const LabelledSample sample{human, judged, others};
  const auto expect = [&](PpiTuning tuning, const char* name) {
    const Estimate estimate = prediction_powered_mean(sample, {.tuning = tuning}).value();
    const std::string prefix = name;
    EXPECT_NEAR(estimate.value, data[prefix + "_point"][0].get<double>(), kClosedForm);
    EXPECT_NEAR(estimate.interval->low, data[prefix + "_ci95"][0].get<double>(), kQuantile);
    EXPECT_NEAR(estimate.interval->high, data[prefix + "_ci95"][1].get<double>(), kQuantile);
    EXPECT_TRUE(estimate.has(Caveat::FewLabels));
  };
  expect(PpiTuning::Full, "ppi");
  expect(PpiTuning::Tuned, "ppipp");
}

// Personas with a level of their own, a human who sees it with noise, a judge who is half a point
// too kind.
struct LabelledRun {
  std::vector<double> human, judged, others;
  std::vector<std::size_t> human_clusters, other_clusters;

  LabelledSample clustered() const {
    return {human, judged, others, human_clusters, other_clusters};
  }
};

LabelledRun make_run(std::uint64_t seed, double true_mean) {
  LabelledRun run;
  Random random(seed, "ppi test");
  const auto noise = [&] { return random.unit() + random.unit() + random.unit() - 1.5; };
  for (std::size_t persona = 0; persona < 40; ++persona) {
    const double level = true_mean + noise();
    for (int question = 0; question < 20; ++question) {
      const double human = level + noise();
      const double judge = human + 0.5 + 0.3 * noise();
      if (question < 4) {
        run.human.push_back(human);
        run.judged.push_back(judge);
        run.human_clusters.push_back(persona);
      } else {
        run.others.push_back(judge);
        run.other_clusters.push_back(persona);
      }
    }
  }
  return run;
}

TEST(Ppi, CrossFitClusteredIntervalCoversTheTruth) {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const LabelledRun run = make_run(seed, 3);
    const Estimate estimate = prediction_powered_mean(run.clustered()).value();
    covered += estimate.interval->low <= 3 && 3 <= estimate.interval->high;
  }
  EXPECT_GE(covered, 366);  // 380 expected, three standard deviations below
  EXPECT_LE(covered, 394);
}

TEST(Ppi, OnlyClustersWithLabelsAreDegreesOfFreedom) {
  // A judge that never varies adds nothing, however much of it there is.
  LabelledRun run = make_run(2, 3);
  run.judged.assign(run.judged.size(), 4);
  run.others.assign(run.others.size(), 4);
  for (std::size_t& cluster : run.human_clusters) cluster %= 10;
  const Estimate corrected = prediction_powered_mean(run.clustered()).value();
  const Estimate labels = clustered_mean(run.human, run.human_clusters).value();
  EXPECT_EQ(corrected.clusters, 10u);
  EXPECT_NEAR(corrected.interval->low, labels.interval->low, 1e-9);
  EXPECT_NEAR(corrected.interval->high, labels.interval->high, 1e-9);
}

TEST(Ppi, TheSameSeedGivesTheSameFolds) {
  const LabelledRun run = make_run(1, 3);
  const auto value = [&](std::uint64_t seed) {
    return prediction_powered_mean(run.clustered(), {.seed = seed})->value;
  };
  EXPECT_EQ(value(4), value(4));
  EXPECT_NE(value(4), value(5));
}

TEST(Ppi, AJudgeWithoutVariationIsIgnored) {
  const std::vector<double> human{1, 2, 3, 4, 5, 4};
  const std::vector<double> constant(6, 5.0);
  const std::vector<double> others(20, 5.0);
  const LabelledSample sample{human, constant, others};
  const Estimate estimate = prediction_powered_mean(sample, {.tuning = PpiTuning::Tuned}).value();
  EXPECT_NEAR(estimate.value, mean_of(human), kClosedForm);
}

TEST(Ppi, EstimateStaysOnTheScale) {
  const std::vector<double> human{5, 5, 5, 5, 5};
  const std::vector<double> judged{1, 1, 2, 1, 1};
  const std::vector<double> others{5, 4, 5, 5, 5, 4};
  const Estimate estimate =
      prediction_powered_mean({human, judged, others},
                              {.tuning = PpiTuning::Full, .bounds = {.scale = {1, 5}}})
          .value();
  EXPECT_EQ(estimate.value, 5);
  EXPECT_TRUE(estimate.has(Caveat::ClippedToScale));
}

TEST(Ppi, RefusesWhatCannotBeCorrected) {
  const std::vector<double> one{1};
  const std::vector<double> three{1, 2, 3};
  EXPECT_FALSE(prediction_powered_mean({}));
  EXPECT_FALSE(prediction_powered_mean({one, one, three}));
  EXPECT_FALSE(prediction_powered_mean({three, one, three}));
  EXPECT_FALSE(prediction_powered_mean({three, three, three}));  // 3 labels, 5 folds
  const std::vector<std::size_t> clusters{1, 2, 3};
  EXPECT_FALSE(prediction_powered_mean({three, three, three, clusters, {}}));
}

}  // namespace
}  // namespace personascope::stats
