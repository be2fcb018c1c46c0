#include "llm/prices.hpp"

#include <gtest/gtest.h>

namespace personascope::llm {
namespace {

TEST(Prices, KnowsWhatComesWithTheProgram) {
  const Prices prices = Prices::make_default();
  EXPECT_EQ(prices.find("openai/gpt-4o").value().input, 2.5);
  EXPECT_EQ(prices.find("scripted/any/file.yaml").value().output, 0);
}

TEST(Prices, DoesNotKnowWhatIsNotListed) {
  const Prices prices = Prices::make_default();
  for (const char* model :
       {"openai/gpt-4o-audio", "openai/", "", "nobody/nothing", "OPENAI/GPT-4O"})
    EXPECT_FALSE(prices.find(model)) << model;
}

TEST(Prices, TakesTheExactRowThenTheLongestPattern) {
  Prices prices;
  ASSERT_TRUE(prices.add(parse_json(R"({"models": {
      "p/*": {"input": 1, "output": 1}, "p/big*": {"input": 2, "output": 2},
      "p/big-exact": {"input": 3, "output": 3}}})")
                             .value()));
  EXPECT_EQ(prices.find("p/small")->input, 1);
  EXPECT_EQ(prices.find("p/bigger")->input, 2);
  EXPECT_EQ(prices.find("p/big-exact")->input, 3);
  EXPECT_EQ(prices.find("p/big-exact-2")->input, 2);
}

TEST(Prices, LetsAUsersFileReplaceRows) {
  Prices prices = Prices::make_default();
  ASSERT_TRUE(prices.add({{"models", {{"openai/gpt-4o", {{"input", 7}, {"output", 9}}}}}}));
  EXPECT_EQ(prices.find("openai/gpt-4o")->input, 7);
  EXPECT_EQ(prices.find("openai/gpt-4o")->cached_input, 7) << "as dear as the rest if not said";
}

TEST(Prices, RefusesBrokenFilesAndNamesTheRow) {
  for (const char* text :
       {R"({})", R"([])", R"({"models": []})", R"({"models": {"a/b": {"input": 1}}})",
        R"({"models": {"a/b": {"output": 1}}})",
        R"({"models": {"a/b": {"input": -1, "output": 1}}})",
        R"({"models": {"a/b": {"input": "1", "output": 1}}})", R"({"models": {"a/b": 1}})",
        R"({"models": {"a/b": {"input": 1, "output": 1, "cached_input": -1}}})"}) {
    Prices prices;
    const auto added = prices.add(parse_json(text).value());
    ASSERT_FALSE(added) << text;
    EXPECT_EQ(added.error().kind, ErrorKind::Invalid);
    const bool names_a_row = std::string_view(text).find("a/b") != std::string_view::npos;
    EXPECT_EQ(added.error().message.find("a/b") != std::string::npos, names_a_row) << text;
  }
}

TEST(Prices, PricesCachedTokensApart) {
  const Price price{10, 20, 1};
  EXPECT_DOUBLE_EQ(cost_of(price, {1'000'000, 1'000'000, std::nullopt}).value(), 30);
  EXPECT_DOUBLE_EQ(cost_of(price, {1'000'000, 0, 500'000}).value(), 5.5);
  EXPECT_DOUBLE_EQ(cost_of(price, {100, 0, 500}).value(), 100e-6)
      << "no more cached than there are";
}

TEST(Prices, DoesNotTakeAnUnknownCountForZero) {
  const Price price{10, 20, 1};
  EXPECT_FALSE(cost_of(price, {std::nullopt, 5, std::nullopt}));
  EXPECT_FALSE(cost_of(price, {5, std::nullopt, std::nullopt}));
  EXPECT_EQ(cost_of({0, 0, 0}, {}), 0.0) << "nothing is free of charge, however much of it";
}

}  // namespace
}  // namespace personascope::llm
