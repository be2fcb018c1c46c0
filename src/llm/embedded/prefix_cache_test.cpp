#include "llm/embedded/prefix_cache.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>

#include "base/random.hpp"

namespace personascope::llm::embedded {
namespace {

// What llama.cpp's memory would hold: the length of every sequence, and what was done to it.
class FakeMemory : public KvMemory {
 public:
  void share(int from, int to, int length) override {
    EXPECT_EQ(length_[to], 0) << "only an empty sequence may be shared into";
    EXPECT_LE(length, length_[from]);
    length_[to] = length;
    ++shared_;
  }
  void cut(int sequence, int length) override {
    EXPECT_LE(length, length_[sequence]);
    length_[sequence] = length;
  }
  std::map<int, int> length_;
  int shared_ = 0;
};

std::vector<Token> make_tokens(const std::string& text) {
  return {text.begin(), text.end()};
}

class Cache : public testing::Test {
 protected:
  // Opens, computes what is missing of the prompt, and gives the place.
  PrefixCache::Place compute(PrefixCache& cache, const std::string& text) {
    const std::vector<Token> prompt = make_tokens(text);
    const auto place = cache.open(prompt);
    EXPECT_TRUE(place);
    const auto rest = std::span(prompt).subspan(static_cast<std::size_t>(place->known));
    EXPECT_TRUE(cache.make_room(static_cast<int>(rest.size())));
    cache.append(place->sequence, rest);
    memory_.length_[place->sequence] += static_cast<int>(rest.size());
    return *place;
  }
  FakeMemory memory_;
};

TEST_F(Cache, ANewPromptKnowsNothing) {
  PrefixCache cache(memory_, 4, 100);
  EXPECT_EQ(compute(cache, "hello").known, 0);
  EXPECT_EQ(cache.used_cells(), 5);
}

TEST_F(Cache, ASharedBeginningTakesNoCellsTwice) {
  PrefixCache cache(memory_, 4, 100);
  compute(cache, "persona: question one");
  const auto second = compute(cache, "persona: question two");
  EXPECT_EQ(second.known, 18);  // up to and with the blank; "one" and "two" differ
  EXPECT_EQ(cache.used_cells(), 21 + 3);
  EXPECT_EQ(memory_.shared_, 1);
}

TEST_F(Cache, TheLastTokenOfAPromptIsAlwaysComputed) {
  PrefixCache cache(memory_, 4, 100);
  cache.close(compute(cache, "same").sequence);
  EXPECT_EQ(compute(cache, "same").known, 3);
}

TEST_F(Cache, ADialogueGoesOnInItsOwnSequence) {
  PrefixCache cache(memory_, 4, 100);
  const auto first = compute(cache, "turn one.");
  cache.close(first.sequence);
  const auto second = compute(cache, "turn one. turn two.");
  EXPECT_EQ(second.sequence, first.sequence);
  EXPECT_EQ(second.known, 9);
  EXPECT_EQ(memory_.shared_, 0);
}

TEST_F(Cache, ARunningSequenceIsSharedAndNotTakenOver) {
  PrefixCache cache(memory_, 4, 100);
  const auto first = compute(cache, "turn one.");
  const auto second = compute(cache, "turn one. turn two.");
  EXPECT_NE(second.sequence, first.sequence);
  EXPECT_EQ(second.known, 9);
}

TEST_F(Cache, SharedCellsOutliveTheirFirstOwner) {
  PrefixCache cache(memory_, 2, 100);
  cache.close(compute(cache, "shared A").sequence);
  const auto second = compute(cache, "shared B");
  EXPECT_EQ(cache.used_cells(), 9);
  compute(cache, "else");  // takes the idle sequence, whose cells live on in the second
  EXPECT_EQ(cache.used_cells(), 8 + 4);
  EXPECT_EQ(cache.tokens(second.sequence).size(), 8u);
}

TEST_F(Cache, MakesRoomFromTheLeastLatelyUsed) {
  PrefixCache cache(memory_, 8, 12);
  const auto old = compute(cache, "aaaa");
  const auto young = compute(cache, "bbbb");
  cache.close(old.sequence);
  cache.close(young.sequence);
  EXPECT_TRUE(cache.make_room(8));
  EXPECT_EQ(cache.tokens(old.sequence).size(), 0u);
  EXPECT_EQ(cache.tokens(young.sequence).size(), 4u);
}

TEST_F(Cache, UsingASequenceForItsBeginningKeepsIt) {
  PrefixCache cache(memory_, 8, 20);
  const auto base = compute(cache, "rubric 1");
  cache.close(base.sequence);
  const auto other = compute(cache, "zzzz");
  cache.close(other.sequence);
  cache.close(compute(cache, "rubric 2").sequence);
  EXPECT_TRUE(cache.make_room(11));
  EXPECT_EQ(cache.tokens(other.sequence).size(), 0u) << "the one nobody shared goes first";
  EXPECT_EQ(cache.find_known(make_tokens("rubric 3")), 7);
}

TEST_F(Cache, DoesNotMakeRoomFromRunningOnes) {
  PrefixCache cache(memory_, 8, 8);
  compute(cache, "aaaa");
  EXPECT_TRUE(cache.make_room(4));
  EXPECT_FALSE(cache.make_room(5));
}

TEST_F(Cache, HasNoPlaceWhenEverySequenceRuns) {
  PrefixCache cache(memory_, 2, 100);
  compute(cache, "aaaa");
  compute(cache, "bbbb");
  EXPECT_FALSE(cache.open(make_tokens("cccc")));
  EXPECT_FALSE(cache.open(make_tokens("aaaab")));
}

TEST_F(Cache, GoesOnInTheOnlyIdleSequenceThatKnowsTheBeginning) {
  PrefixCache cache(memory_, 2, 100);
  compute(cache, "zzzz");
  const auto known = compute(cache, "abcdef");
  cache.close(known.sequence);
  const auto next = compute(cache, "abcxyz");
  EXPECT_EQ(next.sequence, known.sequence);
  EXPECT_EQ(next.known, 3);
}

TEST_F(Cache, WhatWasTakenBackIsFree) {
  PrefixCache cache(memory_, 2, 10);
  const auto place = compute(cache, "abcdefgh");
  cache.cut(place.sequence, 2);
  EXPECT_EQ(cache.used_cells(), 2);
  EXPECT_TRUE(cache.make_room(8));
}

TEST_F(Cache, TrimsIdleOnesToALimit) {
  PrefixCache cache(memory_, 8, 100);
  for (const char* text : {"aaaa", "bbbb", "cccc"}) cache.close(compute(cache, text).sequence);
  const auto running = compute(cache, "dddd");
  EXPECT_EQ(cache.idle_cells(), 12);
  cache.trim_idle(5);
  EXPECT_EQ(cache.idle_cells(), 4);
  EXPECT_EQ(cache.tokens(running.sequence).size(), 4u);
}

TEST_F(Cache, WithoutSharingEveryRequestBeginsFromNothing) {
  PrefixCache cache(memory_, 4, 100, PrefixCache::Sharing::No);
  cache.close(compute(cache, "same").sequence);
  EXPECT_EQ(cache.used_cells(), 0);
  EXPECT_EQ(compute(cache, "same").known, 0);
  EXPECT_EQ(compute(cache, "same").known, 0);
}

// Whatever is done to it, its count of cells is that of the distinct ones in its sequences.
TEST_F(Cache, NeverLosesACellOverManyRequests) {
  PrefixCache cache(memory_, 6, 60);
  Random random(1, "cache");
  std::vector<int> open;
  for (int step = 0; step < 3000; ++step) {
    if (open.size() < 4 && random.below(2) == 0) {
      std::string text;
      for (std::uint64_t i = 0, n = 1 + random.below(10); i < n; ++i)
        text += static_cast<char>('a' + random.below(2));
      const auto place = cache.open(make_tokens(text));
      if (!place) continue;
      const auto prompt = make_tokens(text);
      const auto rest =
          std::span<const Token>(prompt).subspan(static_cast<std::size_t>(place->known));
      ASSERT_TRUE(cache.make_room(static_cast<int>(rest.size())));
      cache.append(place->sequence, rest);
      memory_.length_[place->sequence] += static_cast<int>(rest.size());
      ASSERT_EQ(std::vector<Token>(cache.tokens(place->sequence).begin(),
                                   cache.tokens(place->sequence).end()),
                prompt);
      open.push_back(place->sequence);
    } else if (!open.empty()) {
      const std::size_t which = random.below(open.size());
      cache.close(open[which]);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    }
    ASSERT_LE(cache.used_cells(), 60);
  }
  for (const int sequence : open) cache.close(sequence);
  cache.trim_idle(0);
  EXPECT_EQ(cache.used_cells(), 0);
}

}  // namespace
}  // namespace personascope::llm::embedded
