#include "stats/reasons.hpp"

#include <gtest/gtest.h>

#include "stats/clustered.hpp"

namespace personascope::stats {
namespace {

TEST(Reasons, AreCodesWithTheirNumbers) {
  const std::vector<double> scores{1, 2, 3, 4, 5, 3, 2};
  const std::vector<std::size_t> alone{0, 1, 2, 3, 4, 5, 6};
  const Json few = reasons_of(clustered_mean(scores, alone).value());
  EXPECT_EQ(few, Json::parse(R"([{"code": "few_clusters", "clusters": 7, "needed": 10}])"));
  const std::vector<std::size_t> three{0, 0, 1, 1, 2, 2, 2};
  const Json none = reasons_of(clustered_mean(scores, three).value());
  EXPECT_EQ(none[0]["code"], "too_few_clusters");
  EXPECT_EQ(none[0]["needed"], 5);
}

TEST(Reasons, NameTheDominantCluster) {
  std::vector<double> scores;
  std::vector<std::size_t> clusters;
  for (std::size_t i = 0; i < 40; ++i) {
    scores.push_back(static_cast<double>(i % 7));
    clusters.push_back(i < 20 ? 0 : i - 19);
  }
  const Estimate estimate = clustered_mean(scores, clusters).value();
  const Json reasons = reasons_of(estimate);
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_EQ(reasons[0]["code"], "dominant_cluster");
  EXPECT_EQ(reasons[0]["largest_share"], 0.5);
  EXPECT_NEAR(reasons[0]["effective_clusters"].get<double>(), 3.81, 0.01);
  EXPECT_EQ(sentences_of(estimate, "persona").front(),
            "one persona has 50 % of the rows, so the result depends on it: 21 personas count as "
            "3.8");
}

TEST(Reasons, EveryCaveatHasACodeAndASentence) {
  for (int caveat = 0; caveat <= static_cast<int>(Caveat::RareClusters); ++caveat) {
    EXPECT_FALSE(code_of(static_cast<Caveat>(caveat)).empty()) << caveat;
    EXPECT_FALSE(sentence_of(static_cast<Caveat>(caveat)).empty()) << caveat;
  }
}

}  // namespace
}  // namespace personascope::stats
