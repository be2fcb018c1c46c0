#include "files/yaml.hpp"

#include <gtest/gtest.h>

#include <string>

#include "files/testing/temporary_folder.hpp"

namespace personascope::files {
namespace {

struct GoodCase {
  std::string text;
  std::string json;
};

TEST(Yaml, EachKindOfScalarIsReadAsYaml12ReadsIt) {
  const GoodCase cases[] = {
      {"", "null"},
      {"~", "null"},
      {"[null, Null, NULL, nULL]", R"([null,null,null,"nULL"])"},
      {"[true, True, TRUE, false, False, FALSE]", "[true,true,true,false,false,false]"},
      {"[yes, no, on, off, y]", R"(["yes","no","on","off","y"])"},
      {"[0, 12, -3, 012]", "[0,12,-3,12]"},
      {"[1.5, .5, 1., 1e3, -2.5e-1]", "[1.5,0.5,1.0,1000.0,-0.25]"},
      {"[inf, nan, .inf, 1e999, 1_000, 1.2.3]", R"(["inf","nan",".inf","1e999","1_000","1.2.3"])"},
      {R"(["12", '1.5', "true", 'null', ""])", R"(["12","1.5","true","null",""])"},
      {"!!str 12", R"("12")"},
      {"a: |\n  1\n  2\n", R"({"a":"1\n2\n"})"},
      {"a:\nb: 2", R"({"a":null,"b":2})"},
      {"12: x", R"({"12":"x"})"},
      {"{}", "{}"},
      {"[]", "[]"},
      {"a: &x {b: 1}\nc: *x", R"({"a":{"b":1},"c":{"b":1}})"},
      {"a: größe", "{\"a\":\"größe\"}"},
      {"\xEF\xBB\xBF"
       "a: 1",
       R"({"a":1})"},
  };
  for (const GoodCase& row : cases) {
    const auto value = parse_yaml(row.text, "test");
    ASSERT_TRUE(value) << row.text << ": " << value.error().message;
    EXPECT_EQ(render_json(*value), row.json) << row.text;
  }
}

TEST(Yaml, EachBadTextIsUnparsable) {
  const std::string bad[] = {"a: [1",         "a: b: c",  "\"abc",          "{a: 1",
                             "? [a]\n: 1",    "*unknown", "a: 1\na: 2",     "a:\n\t- 1",
                             "%YAML 9.9\n--", "&a [*a]",  "- a\nb: 1",      "{a: 1, \"a\": 2}",
                             "@at",           "`tick",    "a: 1\n---\nb: 2"};
  for (const std::string& text : bad) {
    const auto value = parse_yaml(text, "test");
    ASSERT_FALSE(value) << text << ": " << render_json(*value);
    EXPECT_EQ(value.error().kind, ErrorKind::Unparsable) << text;
    EXPECT_TRUE(value.error().message.starts_with("test")) << value.error().message;
  }
}

TEST(Yaml, AnErrorTellsTheLine) {
  EXPECT_EQ(parse_yaml("a: 1\nb: 2\na: 3\n", "suite.yaml").error().message,
            "suite.yaml: line 3: \"a\" occurs twice");
}

TEST(Yaml, AliasesThatMultiplyAreStopped) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + before + ", *a" +
            before + "]\n";
  }
  EXPECT_EQ(parse_yaml(text, "bomb").error().kind, ErrorKind::Unparsable);
}

TEST(Yaml, ALargeTextThatIsAliasedManyTimesIsStopped) {
  std::string text = "- &a " + std::string(1 << 20, 'x') + "\n";
  for (int i = 0; i < 5000; ++i) text += "- *a\n";
  EXPECT_EQ(parse_yaml(text, "bomb").error().kind, ErrorKind::Unparsable);
  std::string keys = "- &a " + std::string(1 << 20, 'x') + "\n";
  for (int i = 0; i < 5000; ++i) keys += "- {*a : 1}\n";
  EXPECT_EQ(parse_yaml(keys, "bomb").error().kind, ErrorKind::Unparsable);
}

TEST(Yaml, AliasesOfThemselvesAreStopped) {
  EXPECT_FALSE(parse_yaml("&a [*a, *a]", "loop"));
  EXPECT_FALSE(parse_yaml("&a {b: *a}", "loop"));
}

TEST(Yaml, DeepNestingIsStopped) {
  EXPECT_TRUE(parse_yaml(std::string(90, '[') + std::string(90, ']'), "deep"));
  EXPECT_FALSE(parse_yaml(std::string(150, '[') + std::string(150, ']'), "deep"));
  EXPECT_FALSE(parse_yaml(std::string(100'000, '['), "deep"));
  EXPECT_FALSE(parse_yaml(std::string(100'000, '{'), "deep"));
  std::string dashes;
  for (int i = 0; i < 10'000; ++i) dashes += "- ";
  EXPECT_FALSE(parse_yaml(dashes, "deep"));
}

TEST(Yaml, NoBytesCrashIt) {
  const std::string seeds[] = {"a: &x [1, \"b\\x41\"]\nc: {d: *x, 'e': !!str 5}\n",
                               "%TAG ! tag:x,2000:\n---\n- !t |2-\n  x\n- ? a\n  : b\n...\n"};
  for (const std::string& seed : seeds)
    for (std::size_t at = 0; at < seed.size(); ++at)
      for (const char byte : {'\0', '\n', ':', '[', '"', '&', '*', '!', '%', '\xFF', '\xC3', ' '}) {
        std::string text = seed;
        text[at] = byte;
        if (const auto value = parse_yaml(text, "bytes")) render_json(*value);
        if (const auto value = parse_yaml(text.substr(0, at), "bytes")) render_json(*value);
      }
}

TEST(Yaml, AFileIsReadUnderItsName) {
  const TemporaryFolder folder;
  EXPECT_EQ(render_json(load_yaml(folder.write("a.yaml", "x: 1")).value()), R"({"x":1})");
  EXPECT_EQ(load_yaml(folder.path("none.yaml")).error().kind, ErrorKind::NotFound);
  EXPECT_NE(load_yaml(folder.write("b.yaml", "[")).error().message.find("b.yaml"),
            std::string::npos);
}

}  // namespace
}  // namespace personascope::files
