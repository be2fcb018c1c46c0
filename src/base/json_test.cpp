#include "base/json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/text.hpp"

namespace personascope {
namespace {

TEST(Json, RendersWhatItParsedWithSortedKeys) {
  const auto value = parse_json(R"( {"b": [1, -2.5, null, true], "a": "x\ny"} )");
  ASSERT_TRUE(value);
  EXPECT_EQ(render_json(*value), R"({"a":"x\ny","b":[1,-2.5,null,true]})");
}

TEST(Json, EqualValuesRenderToEqualBytes) {
  EXPECT_EQ(render_json(*parse_json(R"({"x":1,"y":{"p":2,"q":3}})")),
            render_json(*parse_json(R"({"y":{"q":3,"p":2},"x":1})")));
}

TEST(Json, RefusesEachMalformedTextAsUnparsable) {
  const std::string_view bad[] = {
      "",          "   ",         "{",         "[1,]",         "{\"a\":}", "nul",
      "NaN",       "Infinity",    "01",        "1 2",          "\"\t\"",   "'a'",
      "{\"a\" 1}", "\"\\ud800\"", "\"\\x41\"", "\"\xC3\x28\"", "\"\xFF\"", "\"\xED\xA0\x80\"",
      "]",         "1e400",       "-",         "{1:2}",        "/* */ 1",  "\"abc"};
  for (const std::string_view text : bad) {
    const auto value = parse_json(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().kind, ErrorKind::Unparsable) << text;
  }
}

TEST(Json, AnErrorTellsThePlaceAndNeverTheText) {
  const auto value = parse_json("{\"key\": sk-secret}");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message, "not valid JSON at character 9");
}

TEST(Json, AcceptsTwoHundredLevelsAndRefusesMore) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse_json(nested(200)));
  EXPECT_FALSE(parse_json(nested(201)));
  EXPECT_FALSE(parse_json(std::string(5'000'000, '[')));
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_FALSE(parse_json(objects));
}

TEST(Json, BracketsInsideStringsAreNoNesting) {
  const std::string text = "[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]";
  EXPECT_TRUE(parse_json(text));
}

TEST(Json, RenderingReplacesWhatIsNotUtf8) {
  const std::string text = render_json(Json{{"a", "x\xFFy\xC3"}});
  EXPECT_EQ(text, "{\"a\":\"x\xEF\xBF\xBDy\xEF\xBF\xBD\"}");
  EXPECT_TRUE(is_utf8(render_pretty_json(Json{{"\xFE", 1}})));
}

TEST(Json, PrettyTextIsIndentedByTwo) {
  EXPECT_EQ(render_pretty_json(Json{{"a", {1}}}), "{\n  \"a\": [\n    1\n  ]\n}");
}

TEST(Json, AMemberThatIsNullOrOfANonObjectIsNotThere) {
  const Json value = *parse_json(R"({"there": 0, "null": null})");
  EXPECT_NE(find_member(value, "there"), nullptr);
  EXPECT_EQ(find_member(value, "null"), nullptr);
  EXPECT_EQ(find_member(value, "missing"), nullptr);
  EXPECT_EQ(find_member(Json::array({1}), "there"), nullptr);
  EXPECT_EQ(find_member(Json(3), "there"), nullptr);
  EXPECT_EQ(find_member(Json(), "there"), nullptr);
}

TEST(Json, MembersOfAnotherTypeAreNotConverted) {
  const Json value = *parse_json(R"({"t": "12", "i": 12, "f": 1.5, "b": true, "l": [1]})");
  EXPECT_EQ(find_text(value, "t"), "12");
  for (const char* key : {"i", "f", "b", "l"}) EXPECT_FALSE(find_text(value, key)) << key;
  for (const char* key : {"t", "f", "b", "l"}) EXPECT_FALSE(find_integer(value, key)) << key;
  for (const char* key : {"t", "b", "l"}) EXPECT_FALSE(find_number(value, key)) << key;
  EXPECT_EQ(find_number(value, "i"), 12.0);
}

TEST(Json, IntegersAreReadOnlyWhereTheyFit) {
  const auto integer = [](std::string_view number) {
    return find_integer(*parse_json("{\"n\":" + std::string(number) + "}"), "n");
  };
  EXPECT_EQ(integer("12.0"), 12);
  EXPECT_EQ(integer("-3"), -3);
  EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(integer("9223372036854775808"));
  EXPECT_FALSE(integer("18446744073709551615"));
  EXPECT_FALSE(integer("1e300"));
  EXPECT_FALSE(integer("-1e300"));
  EXPECT_FALSE(integer("1e16"));
}

}  // namespace
}  // namespace personascope
