#include "llm/call.hpp"

#include <gtest/gtest.h>

#include <set>

namespace personascope::llm {
namespace {

const Endpoint kEndpoint{"openai", "https://api.openai.com/v1", "gpt-4o", ""};

core::Request make_call_request(std::optional<double> temperature) {
  core::Request request;
  request.messages = {{core::Role::User, "Who are you?"}};
  request.sampling.temperature = temperature;
  return request;
}

Digest key_of(const Endpoint& endpoint, const core::Request& request, const Draw& draw = {},
              const std::string& salt = "") {
  return make_call(endpoint, request, draw, salt).key;
}

Draw make_draw(const std::string& item, int epoch, int trial) {
  Draw draw;
  draw.item = item;
  draw.epoch = epoch;
  draw.trial = trial;
  return draw;
}

TEST(Call, NeverSharesAKeyBetweenEndpoints) {
  const core::Request request = make_call_request(0);
  const std::set<Digest> keys{
      key_of(kEndpoint, request),
      key_of({"openai", "http://localhost:8000/v1", "gpt-4o", ""}, request),
      key_of({"together", "https://api.openai.com/v1", "gpt-4o", ""}, request),
      key_of({"openai", "https://api.openai.com/v1", "gpt-4o-mini", ""}, request),
      key_of({"embedded", "", "smollm2", "aaaa"}, request),
      key_of({"embedded", "", "smollm2", "bbbb"}, request),
  };
  EXPECT_EQ(keys.size(), 6u);
}

TEST(Call, NeverSharesAKeyBetweenDifferentRequests) {
  std::set<Digest> keys{key_of(kEndpoint, make_call_request(0))};
  const auto add = [&keys](const auto& change) {
    core::Request request = make_call_request(0);
    change(request);
    keys.insert(key_of(kEndpoint, request));
  };
  add([](core::Request& r) { r.messages[0].content += "?"; });
  add([](core::Request& r) { r.messages[0].role = core::Role::System; });
  add([](core::Request& r) { r.messages.push_back({core::Role::User, "Who are you?"}); });
  add([](core::Request& r) { r.sampling.top_p = 0.5; });
  add([](core::Request& r) { r.sampling.seed = 1; });
  add([](core::Request& r) { r.sampling.max_tokens = 1; });
  add([](core::Request& r) { r.sampling.stop = {"\n"}; });
  add([](core::Request& r) { r.top_logprobs = 5; });
  add([](core::Request& r) { r.output = core::OutputSchema{"a", {{"type", "object"}}}; });
  EXPECT_EQ(keys.size(), 10u);
}

TEST(Call, KeepsTwoDrawsAboveTemperatureZeroApart) {
  for (const std::optional<double> temperature :
       {std::optional<double>(0.9), std::optional<double>()}) {
    const core::Request request = make_call_request(temperature);
    const std::set<Digest> keys{
        key_of(kEndpoint, request, make_draw("a", 0, 0)),
        key_of(kEndpoint, request, make_draw("b", 0, 0)),
        key_of(kEndpoint, request, make_draw("a", 1, 0)),
        key_of(kEndpoint, request, make_draw("a", 0, 1)),
    };
    EXPECT_EQ(keys.size(), 4u);
  }
}

TEST(Call, SharesAnAnswerBetweenEqualRequestsAtTemperatureZero) {
  const core::Request request = make_call_request(0);
  const Digest key = key_of(kEndpoint, request, make_draw("a", 0, 0));
  EXPECT_EQ(key, key_of(kEndpoint, request, make_draw("b", 0, 0)));
  EXPECT_EQ(key, key_of(kEndpoint, request, make_draw("a", 1, 0)));
  EXPECT_NE(key, key_of(kEndpoint, request, make_draw("a", 0, 1))) << "a second try is a new call";
}

TEST(Call, KeepsFreshRunsApart) {
  const core::Request request = make_call_request(0);
  const std::set<Digest> keys{key_of(kEndpoint, request, {}, ""),
                              key_of(kEndpoint, request, {}, "run-1"),
                              key_of(kEndpoint, request, {}, "run-2")};
  EXPECT_EQ(keys.size(), 3u);
}

TEST(Call, KeepsRoundsApartAndTheFirstAsItWas) {
  Draw draw = make_draw("a", 0, 0);
  const std::string first = render_replicate(make_call_request(0), draw, "");
  EXPECT_EQ(first, R"({"try":0})");
  draw.round = 1;
  EXPECT_EQ(render_replicate(make_call_request(0), draw, ""), R"({"round":1,"try":0})");
}

// The key is written to disk and must find its answer in years to come.
TEST(Call, KeepsItsFormat) {
  const Call call = make_call(kEndpoint, make_call_request(0.5), make_draw("a1", 2, 1), "");
  EXPECT_EQ(call.endpoint,
            R"({"base_url":"https://api.openai.com/v1","model":"gpt-4o","provider":"openai"})");
  EXPECT_EQ(call.request,
            R"({"messages":[{"content":"Who are you?","role":"user"}],"temperature":0.5})");
  EXPECT_EQ(call.replicate, R"({"epoch":2,"item":"a1","try":1})");
  EXPECT_EQ(render_hex(call.key), render_hex(sha256("ask\n" + call.endpoint + "\n" + call.request +
                                                    "\n" + call.replicate + "\n")));
}

TEST(Call, CannotBeForgedByNewlinesInItsParts) {
  const Call call = make_call(kEndpoint, make_call_request(0.5), make_draw("a\n{}", 0, 0), "x\ny");
  for (const std::string& part : {call.endpoint, call.request, call.replicate})
    EXPECT_EQ(part.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace personascope::llm
