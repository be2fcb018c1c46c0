#include "stats/kappa.hpp"

#include <gtest/gtest.h>

#include "stats/bootstrap.hpp"
#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(Kappa, AgreesWithScikitLearn) {
  const Json& data = golden()["cohen"];
  const auto kappa = [&](AgreementWeights weights) {
    return cohen_kappa(integers(data["a"]), integers(data["b"]), integers(data["labels"]), weights)
        ->value;
  };
  EXPECT_NEAR(kappa(AgreementWeights::Nominal), data["none"].get<double>(), kClosedForm);
  EXPECT_NEAR(kappa(AgreementWeights::Linear), data["linear"].get<double>(), kClosedForm);
  EXPECT_NEAR(kappa(AgreementWeights::Quadratic), data["quadratic"].get<double>(), kClosedForm);
}

TEST(Kappa, AScoreThatNeverOccursKeepsItsPlace) {
  const Json& trap = golden()["cohen"]["trap_missing_categories"];
  const auto a = integers(trap["a"]);
  const auto b = integers(trap["b"]);
  const std::vector<int> full{1, 2, 3, 4, 5};
  const std::vector<int> seen{1, 2, 5};
  EXPECT_NEAR(cohen_kappa(a, b, full)->value, trap["quadratic_full_scale"].get<double>(),
              kClosedForm);
  EXPECT_NEAR(cohen_kappa(a, b, seen)->value, trap["quadratic_inferred_labels_WRONG"].get<double>(),
              kClosedForm);
}

TEST(Kappa, FleissAndRandolphAgreeWithStatsmodels) {
  const Json& data = golden()["fleiss"];
  std::vector<std::size_t> counts;
  for (const Json& row : data["counts"]) {
    for (const Json& count : row) counts.push_back(count);
  }
  EXPECT_NEAR(fleiss_kappa(counts, 5)->value, data["kappa"].get<double>(), kClosedForm);
  EXPECT_NEAR(fleiss_kappa(counts, 5, ChanceAgreement::Uniform)->value,
              data["randolph"].get<double>(), kClosedForm);
}

TEST(Kappa, FleissIsTheSameFromScoresAndFromCounts) {
  const std::vector<int> scores{1, 1, 2, 3, 3, 3, 2, 1, 2, 1, 3, 3};
  const std::vector<std::size_t> counts{2, 1, 0, 0, 0, 3, 1, 2, 0, 1, 0, 2};
  const std::vector<int> scale{1, 2, 3};
  EXPECT_EQ(fleiss_kappa(scores, 3, scale)->value, fleiss_kappa(counts, 3)->value);
  EXPECT_FALSE(fleiss_kappa(scores, 5, scale));
  EXPECT_FALSE(fleiss_kappa(scores, 1, scale));
  EXPECT_FALSE(fleiss_kappa(scores, 3, std::vector{1, 2}));
}

TEST(Kappa, UndefinedCasesSaySo) {
  const std::vector<int> scale{1, 2, 3};
  const std::vector<int> ones{1, 1, 1};
  EXPECT_FALSE(cohen_kappa({}, {}, scale));
  EXPECT_FALSE(cohen_kappa(ones, ones, scale));
  EXPECT_FALSE(cohen_kappa(ones, std::vector{1, 2}, scale));
  EXPECT_FALSE(cohen_kappa(ones, std::vector{1, 2, 4}, scale));
  EXPECT_FALSE(fleiss_kappa({}, 3));
  EXPECT_FALSE(fleiss_kappa(std::vector<std::size_t>{1, 0, 0, 1}, 2));
  EXPECT_FALSE(fleiss_kappa(std::vector<std::size_t>{3, 0, 1, 1}, 2));
  EXPECT_FALSE(fleiss_kappa(std::vector<std::size_t>{3, 0, 3, 0}, 2));
}

TEST(Kappa, BootstrapGivesItAnInterval) {
  const Json& data = golden()["cohen"];
  const auto a = integers(data["a"]);
  const auto b = integers(data["b"]);
  const auto scale = integers(data["labels"]);
  std::vector<std::size_t> each_item_alone(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) each_item_alone[i] = i;

  const auto kappa_of = [&](std::span<const std::size_t> rows) -> Result<double> {
    std::vector<int> first;
    std::vector<int> second;
    for (const std::size_t row : rows) {
      first.push_back(a[row]);
      second.push_back(b[row]);
    }
    ASSIGN_OR_RETURN(const Estimate kappa, cohen_kappa(first, second, scale));
    return kappa.value;
  };
  const Estimate estimate = bootstrap(each_item_alone, kappa_of, {.replicates = 999}).value();
  EXPECT_NEAR(estimate.value, 0.9, kClosedForm);
  EXPECT_LT(estimate.interval->low, 0.9);
  EXPECT_GT(estimate.interval->high, 0.9);
}

}  // namespace
}  // namespace personascope::stats
