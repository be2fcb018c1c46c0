#include "judge/distractors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace personascope::judge {
namespace {

const std::vector<std::string> kCrowd{
    "A retired sailor from Bergen who repairs wooden boats.",
    "A young sailor from Bergen who races plastic boats.",
    "A baker in Lyon, up at three, proud of her bread.",
    "A monk who copies manuscripts and keeps bees.",
    "A drummer on tour, asthmatic, always hungry.",
    "A judge of dog shows, strict about poodles.",
    "A tax clerk with a secret love of tango.",
};

TEST(Distractors, TheNearOneSharesWordsAndNobodyComesTwice) {
  const auto all = choose_distractors(kCrowd, {.near = 1, .far = 3, .seed = 7});
  ASSERT_EQ(all.size(), kCrowd.size());
  EXPECT_EQ(all[0][1], 1u);
  EXPECT_EQ(all[1][1], 0u);
  for (std::size_t truth = 0; truth < all.size(); ++truth) {
    EXPECT_EQ(all[truth].front(), truth);
    EXPECT_EQ(all[truth].size(), 5u);
    EXPECT_EQ(std::set(all[truth].begin(), all[truth].end()).size(), 5u);
  }
}

TEST(Distractors, TheFarOnesAreOfTheLeastAlikeHalf) {
  std::vector<std::string> personas = kCrowd;
  personas[2] = "A sailor who bakes in Bergen and has boats.";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto all = choose_distractors(personas, {.near = 1, .far = 2, .seed = seed});
    EXPECT_EQ(std::ranges::count(all[0], 2u), 0) << "too much alike to be far, not the nearest";
  }
}

TEST(Distractors, TheSeedDecidesAndTheOrderOfPersonasDoesNot) {
  const DistractorOptions options{.near = 2, .far = 2, .seed = 1};
  EXPECT_EQ(choose_distractors(kCrowd, options), choose_distractors(kCrowd, options));
  EXPECT_NE(choose_distractors(kCrowd, options),
            choose_distractors(kCrowd, {.near = 2, .far = 2, .seed = 2}));
  std::vector<std::string> reversed(kCrowd.rbegin(), kCrowd.rend());
  const auto texts_of = [](const std::vector<std::string>& personas,
                           const std::vector<std::size_t>& places) {
    std::vector<std::string> texts;
    for (const std::size_t place : places) texts.push_back(personas[place]);
    return texts;
  };
  EXPECT_EQ(texts_of(kCrowd, choose_distractors(kCrowd, options).front()),
            texts_of(reversed, choose_distractors(reversed, options).back()));
}

TEST(Distractors, TakesWhatThereIsAndNeverATwin) {
  const auto all = choose_distractors(std::vector<std::string>{"same", "same", "other"});
  EXPECT_EQ(all, (std::vector<std::vector<std::size_t>>{{0, 2}, {1, 2}, {2, 0, 1}}))
      << "the twin is no candidate";
  EXPECT_EQ(choose_distractors(std::vector<std::string>{"alone"}),
            (std::vector<std::vector<std::size_t>>{{0}}));
  EXPECT_TRUE(choose_distractors({}).empty());
}

}  // namespace
}  // namespace personascope::judge
