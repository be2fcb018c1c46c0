#include "http/loopback/scenario.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace personascope::http::loopback {
namespace {

TEST(Scenario, ReadsEveryDirective) {
  struct Case {
    std::string text;
    std::function<bool(const Scenario&)> holds;
  };
  const std::vector<Case> cases{
      {"[[status 429]]",
       [](const Scenario& s) { return s.status == 429 && s.retry_after.empty(); }},
      {"[[status 503 retry-after=1.5]]",
       [](const Scenario& s) { return s.status == 503 && s.retry_after == "1.5"; }},
      {"[[close]]", [](const Scenario& s) { return s.close; }},
      {"[[cut]]", [](const Scenario& s) { return s.cut; }},
      {"[[stall]]", [](const Scenario& s) { return s.stall; }},
      {"[[endless]]", [](const Scenario& s) { return s.endless; }},
      {"[[huge 1073741824]]", [](const Scenario& s) { return s.huge == 1073741824; }},
      {"[[delay 500]]", [](const Scenario& s) { return s.delay == milliseconds(500); }},
      {"[[invalid-utf8]]", [](const Scenario& s) { return s.invalid_utf8; }},
      {"[[not-json]]", [](const Scenario& s) { return s.raw_body && !s.raw_body->empty(); }},
      {"[[empty]]", [](const Scenario& s) { return s.raw_body == ""; }},
      {"[[refuse]]", [](const Scenario& s) { return s.ending == Ending::Refusal; }},
      {"[[filter]]", [](const Scenario& s) { return s.ending == Ending::Filter; }},
      {"[[length]]", [](const Scenario& s) { return s.ending == Ending::Length; }},
      {"[[break-off]]", [](const Scenario& s) { return s.ending == Ending::Error; }},
      {"[[blank]]", [](const Scenario& s) { return s.say == ""; }},
      {"[[report 402]]", [](const Scenario& s) { return s.report == 402; }},
      {"[[words no credit]]", [](const Scenario& s) { return s.words == "no credit"; }},
      {"[[too-long]]", [](const Scenario& s) { return s.too_long; }},
      {"[[echo-key]]", [](const Scenario& s) { return s.echo_key; }},
      {"[[say Hello,  world!]]", [](const Scenario& s) { return s.say == "Hello,  world!"; }},
      {"[[say]]", [](const Scenario& s) { return s.say == ""; }},
      {R"([[say {"a":[1,[2]]}]])", [](const Scenario& s) { return s.say == R"({"a":[1,[2]]})"; }},
      {"[[say a [ b]]", [](const Scenario& s) { return s.say == "a [ b"; }},
      {"[[header x-left=0, or so]]",
       [](const Scenario& s) { return s.headers == LoopbackHeaders{{"x-left", "0, or so"}}; }},
      {"before [[delay 5]] between [[say x]] after",
       [](const Scenario& s) { return s.delay == milliseconds(5) && s.say == "x"; }},
  };
  for (const Case& entry : cases) {
    const auto scenario = parse_scenario(entry.text, 1);
    ASSERT_TRUE(scenario) << entry.text << ": " << scenario.error().message;
    EXPECT_TRUE(entry.holds(*scenario)) << entry.text;
  }
}

TEST(Scenario, RefusesKnownDirectivesWithWrongArguments) {
  for (const char* const text : {"[[status]]",
                                 "[[status abc]]",
                                 "[[status 42]]",
                                 "[[status 600]]",
                                 "[[status 429 500]]",
                                 "[[status 429 times=0]]",
                                 "[[status 429 times=x]]",
                                 "[[status 429 retry-after=]]",
                                 "[[delay]]",
                                 "[[delay -1]]",
                                 "[[delay 1 retry-after=1]]",
                                 "[[huge 0]]",
                                 "[[huge 1e9]]",
                                 "[[report]]",
                                 "[[report 99]]",
                                 "[[close now]]",
                                 "[[header]]",
                                 "[[header name]]",
                                 "[[header =value]]",
                                 "[[header a b=c]]",
                                 "[[header a=b\r\nc: d]]"}) {
    const auto scenario = parse_scenario(text, 1);
    ASSERT_FALSE(scenario) << text;
    EXPECT_EQ(scenario.error().kind, ErrorKind::Invalid) << text;
  }
}

TEST(Scenario, LeavesOtherBracketsAlone) {
  for (const char* const text : {"", "[[", "]]", "[[]]", "[[Main Page]]", "[[close", "[close]",
                                 "[[ close]]", "[[closed]]", "[[[[]]", "a[b[0]]"}) {
    const auto scenario = parse_scenario(text, 1);
    ASSERT_TRUE(scenario) << text;
    EXPECT_FALSE(scenario->close) << text;
  }
}

TEST(Scenario, HoldsForTheFirstTriesOnly) {
  const char* const text = "[[status 429 retry-after=1 times=2]] [[delay 7 times=3]]";
  EXPECT_EQ(parse_scenario(text, 1)->status, 429);
  EXPECT_EQ(parse_scenario(text, 2)->status, 429);
  EXPECT_EQ(parse_scenario(text, 3)->status, std::nullopt);
  EXPECT_EQ(parse_scenario(text, 3)->delay, milliseconds(7));
  EXPECT_EQ(parse_scenario(text, 4)->delay, milliseconds(0));
}

}  // namespace
}  // namespace personascope::http::loopback
