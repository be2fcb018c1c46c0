#include "llm/embedded/prefix_cache.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/random.hpp"

namespace personascope::llm::embedded {
namespace {

// What llama.cpp's memory would hold.
class FakeMemory : public KvMemory {
 public:
  void copy(int from, int to) override {
    EXPECT_NE(from, to);
    tokens_[to] = tokens_[from];
    ++copies_;
  }
  void cut(int sequence, int length) override {
    EXPECT_LE(length, std::ssize(tokens_[sequence]));
    tokens_[sequence].resize(static_cast<std::size_t>(length));
  }
  std::map<int, std::vector<Token>> tokens_;
  int copies_ = 0;
};

const std::string kRubric = "A rubric that is long enough to be worth copying. ";

std::vector<Token> make_tokens(const std::string& text) {
  return {text.begin(), text.end()};
}

class Cache : public testing::Test {
 protected:
  // Opens, computes what is missing of the prompt, and gives the place.
  PrefixCache::Place compute(PrefixCache& cache, const std::string& text) {
    const std::vector<Token> prompt = make_tokens(text);
    const PrefixCache::Place place = cache.open(prompt);
    const auto rest = std::span(prompt).subspan(static_cast<std::size_t>(place.known));
    cache.append(place.sequence, rest);
    auto& held = memory_.tokens_[place.sequence];
    held.insert(held.end(), rest.begin(), rest.end());
    EXPECT_EQ(held, prompt) << "the memory holds the prompt";
    return place;
  }
  void expect_mirrored(const PrefixCache& cache, int sequences) {
    for (int i = 0; i < sequences; ++i)
      ASSERT_EQ(memory_.tokens_[i],
                std::vector<Token>(cache.tokens(i).begin(), cache.tokens(i).end()))
          << "sequence " << i;
  }
  FakeMemory memory_;
};

TEST_F(Cache, ANewPromptKnowsNothingAndTakesTheLowestPlace) {
  PrefixCache cache(memory_, 4);
  EXPECT_EQ(compute(cache, "hello").known, 0);
  const auto second = compute(cache, "world");
  EXPECT_EQ(second.sequence, 1);
  EXPECT_EQ(second.known, 0);
}

TEST_F(Cache, ASharedBeginningIsCopiedFromARunningRequest) {
  PrefixCache cache(memory_, 4);
  compute(cache, kRubric + "one");
  const auto second = compute(cache, kRubric + "two");
  EXPECT_EQ(second.known, std::ssize(kRubric));
  EXPECT_EQ(memory_.copies_, 1);
}

TEST_F(Cache, AShortBeginningIsNotWorthACopy) {
  PrefixCache cache(memory_, 4);
  compute(cache, "short: one");
  EXPECT_EQ(compute(cache, "short: two").known, 0);
  EXPECT_EQ(memory_.copies_, 0);
}

TEST_F(Cache, TheLastTokenOfAPromptIsAlwaysComputed) {
  PrefixCache cache(memory_, 4);
  cache.close(compute(cache, kRubric).sequence);
  EXPECT_EQ(compute(cache, kRubric).known, std::ssize(kRubric) - 1);
}

TEST_F(Cache, ADialogueGoesOnInItsOwnSequence) {
  PrefixCache cache(memory_, 4);
  compute(cache, "something else");
  const auto first = compute(cache, kRubric);
  cache.close(first.sequence);
  const auto second = compute(cache, kRubric + "next turn");
  EXPECT_EQ(second.sequence, first.sequence);
  EXPECT_EQ(second.known, std::ssize(kRubric));
  EXPECT_EQ(memory_.copies_, 0);
}

TEST_F(Cache, WhatIsInTheWayIsKeptElsewhere) {
  PrefixCache cache(memory_, 3);
  cache.close(compute(cache, kRubric + "one").sequence);
  compute(cache, "an unrelated prompt");  // takes the lowest place
  EXPECT_EQ(cache.find_known(make_tokens(kRubric + "two")), std::ssize(kRubric));
}

TEST_F(Cache, TheLeastLatelyUsedIsLost) {
  PrefixCache cache(memory_, 2);
  const std::string other = "Another one, also long enough to be copied. ";
  cache.close(compute(cache, kRubric).sequence);
  cache.close(compute(cache, other).sequence);
  cache.close(compute(cache, "a third that shares nothing").sequence);
  EXPECT_EQ(cache.find_known(make_tokens(kRubric + "x")), 0);
  EXPECT_GT(cache.find_known(make_tokens(other + "x")), 0);
}

TEST_F(Cache, UsingASequenceForItsBeginningKeepsIt) {
  PrefixCache cache(memory_, 3);
  const std::string other = "Another one, also long enough to be copied. ";
  cache.close(compute(cache, kRubric + "1").sequence);
  cache.close(compute(cache, other).sequence);
  cache.close(compute(cache, kRubric + "2").sequence);
  cache.close(compute(cache, "a third that shares nothing").sequence);
  EXPECT_GT(cache.find_known(make_tokens(kRubric + "3")), 0);
}

TEST_F(Cache, WhatWasTakenBackIsForgotten) {
  PrefixCache cache(memory_, 2);
  const auto place = compute(cache, kRubric);
  cache.cut(place.sequence, 2);
  EXPECT_EQ(cache.tokens(place.sequence).size(), 2u);
  EXPECT_EQ(cache.find_known(make_tokens(kRubric)), 0);
}

TEST_F(Cache, ARunningRequestMovesDownIntoAFreePlace) {
  PrefixCache cache(memory_, 4);
  const auto first = compute(cache, "first one of them");
  compute(cache, "second one of them");
  const auto third = compute(cache, "third one of them");
  EXPECT_EQ(cache.move_down(third.sequence), third.sequence) << "there is no hole";
  cache.close(first.sequence);
  EXPECT_EQ(cache.move_down(third.sequence), first.sequence);
  EXPECT_EQ(memory_.tokens_[first.sequence], make_tokens("third one of them"));
  EXPECT_TRUE(cache.tokens(third.sequence).empty());
  expect_mirrored(cache, 4);
}

TEST_F(Cache, WithoutSharingEveryRequestBeginsFromNothing) {
  PrefixCache cache(memory_, 4, PrefixCache::Sharing::No);
  cache.close(compute(cache, kRubric).sequence);
  EXPECT_EQ(compute(cache, kRubric).known, 0);
  EXPECT_EQ(compute(cache, kRubric).known, 0);
}

// Whatever is done to it, it knows exactly what the memory holds.
TEST_F(Cache, MirrorsTheMemoryOverManyRequests) {
  constexpr int kSequences = 6;
  PrefixCache cache(memory_, kSequences);
  Random random(1, "cache");
  std::vector<int> open;
  for (int step = 0; step < 3000; ++step) {
    if (open.size() < 4 && random.below(2) == 0) {
      std::string text = kRubric.substr(0, 17 + random.below(20));
      for (std::uint64_t i = 0, n = 1 + random.below(10); i < n; ++i)
        text += static_cast<char>('a' + random.below(2));
      open.push_back(compute(cache, text).sequence);
    } else if (!open.empty()) {
      const std::size_t which = random.below(open.size());
      if (random.below(3) == 0) {
        open[which] = cache.move_down(open[which]);
      } else {
        cache.close(open[which]);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
      }
    }
    expect_mirrored(cache, kSequences);
  }
}

}  // namespace
}  // namespace personascope::llm::embedded
