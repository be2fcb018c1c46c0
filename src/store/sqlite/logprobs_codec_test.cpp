#include "store/sqlite/logprobs_codec.hpp"

#include <gtest/gtest.h>

namespace personascope::store {
namespace {

const std::vector<core::TokenLogprobs> kTokens = {
    {{"Yes", -0.1}, {{"Yes", -0.1}, {" yes", -2.5}}},
    {{std::string("\0\xe2", 2), -1e300}, {}},
};

TEST(LogprobsCodec, GivesBackEveryToken) {
  const auto parsed = parse_logprobs(render_logprobs(kTokens));
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->size(), 2U);
  EXPECT_EQ((*parsed)[0].chosen.token, "Yes");
  ASSERT_EQ((*parsed)[0].top.size(), 2U);
  EXPECT_EQ((*parsed)[0].top[1].token, " yes");
  EXPECT_EQ((*parsed)[0].top[1].logprob, -2.5);
  EXPECT_EQ((*parsed)[1].chosen.token, kTokens[1].chosen.token);
  EXPECT_EQ((*parsed)[1].chosen.logprob, -1e300);
  EXPECT_TRUE(parse_logprobs("")->empty());
}

TEST(LogprobsCodec, RefusesEveryCutAndHugeLengths) {
  const std::string bytes = render_logprobs(kTokens);
  const std::size_t first_token = render_logprobs({kTokens[0]}).size();
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    if (size == first_token) continue;
    EXPECT_FALSE(parse_logprobs(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(parse_logprobs("\xff\xff\xff\xff"));
  EXPECT_FALSE(parse_logprobs(std::string(12, '\0') + "\xff\xff\xff\xff"));
}

}  // namespace
}  // namespace personascope::store
