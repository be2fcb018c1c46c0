#include "llm/embedded/grammar.hpp"

#include <gtest/gtest.h>

#include "llm/embedded/real_model.hpp"

namespace personascope::llm::embedded {
namespace {

Result<std::string> grammar_of(const std::string& schema) {
  return make_grammar(*parse_json(schema));
}

// Whether llama.cpp, held to the grammar, takes the text and lets it end there.
bool accepts(const std::string& grammar, const std::string& text) {
  const Vocabulary& vocabulary = real_vocabulary();
  const SamplerPtr sampler(
      llama_sampler_init_grammar(vocabulary.handle(), grammar.c_str(), "root"));
  if (!sampler) {
    ADD_FAILURE() << "llama.cpp cannot read the grammar:\n" << grammar;
    return false;
  }
  std::vector<Token> tokens = vocabulary.tokenize(text);
  tokens.push_back(llama_vocab_eos(vocabulary.handle()));
  for (const Token token : tokens) {
    llama_token_data data{token, 1, 0};
    llama_token_data_array array{&data, 1, -1, false};
    llama_sampler_apply(sampler.get(), &array);
    if (!(data.logit > 0)) return false;
    llama_sampler_accept(sampler.get(), token);
  }
  return true;
}

struct GrammarCase {
  std::string schema;
  std::vector<std::string> good;
  std::vector<std::string> bad;
};

TEST(Grammar, HoldsAnswersToTheirSchema) {
  const GrammarCase cases[] = {
      {R"({"type": "integer", "minimum": 1, "maximum": 5})", {"1", "5"}, {"0", "6", "45", "\"4\""}},
      {R"({"type": "integer"})", {"0", "-12", "1234"}, {"01", "1.5", "a"}},
      {R"({"type": "number"})", {"1", "-0.5", "1e9"}, {".5", "1.", "x"}},
      {R"({"type": "boolean"})", {"true", "false"}, {"True", "1"}},
      {R"({"type": "null"})", {"null"}, {"nil"}},
      {R"({"type": ["string", "null"]})", {"\"a\"", "null"}, {"1"}},
      {R"({"type": "string"})",
       {"\"\"", "\"a \\\" b\"", "\"\\u00e4\"", "\"größe\""},
       {"a", "\"a\nb\""}},
      {R"({"type": "string", "minLength": 2, "maxLength": 3})",
       {"\"ab\"", "\"abc\""},
       {"\"a\"", "\"abcd\""}},
      {R"({"enum": ["yes", "no", 3]})", {"\"yes\"", "3"}, {"yes", "\"maybe\""}},
      {R"({"const": {"a": 1}})", {R"({"a":1})"}, {R"({"a":2})"}},
      {R"({"const": null})", {"null"}, {"1"}},
      {R"({"enum": [1, 12, 123, 12, 2]})", {"1", "12", "123", "2"}, {"23", "13", "\"1\""}},
      {R"({"enum": ["", "é", "è", "éa", "日", "旦", "🦊"]})",
       {"\"\"", "\"é\"", "\"è\"", "\"éa\"", "\"日\"", "\"旦\"", "\"🦊\""},
       {"\"e\"", "\"èa\"", "\"月\""}},
      {R"({"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2})",
       {"[1]", "[1, 2]", "[1,2]"},
       {"[]", "[1,2,3]", "[\"a\"]"}},
      {R"({"type": "array"})", {"[]", "[1, \"a\", {\"b\": []}]"}, {"[1,]"}},
      {R"({"type": "array", "maxItems": 0})", {"[]"}, {"[1]"}},
      {R"({"type": "object", "properties": {"score": {"type": "integer"}, "reason": {"type": "string"}},
           "required": ["reason", "score"]})",
       {R"({"reason":"r","score":4})", R"({ "reason": "r", "score": 4 })"},
       {R"({"score":4,"reason":"r"})", R"({"reason":"r"})", "{}"}},
      {R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
           "required": ["b"]})",
       {R"({"b":1})", R"({"b":1,"a":2})"},
       {R"({"a":2})"}},
      {R"({"type": "object", "properties": {"a": {"type": "integer"}}})",
       {"{}", R"({"a":1})"},
       {R"({"b":1})"}},
      {R"({"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {}}})",
       {"{}", R"({"a":1})", R"({"b":1})", R"({"a":1,"b":2})", R"({"a":1,"c":2})",
        R"({"b":1,"c":2})"},
       {R"({"b":1,"a":2})", R"({,"b":1})"}},
      {R"({"properties": {"a": {"type": "integer"}}, "required": ["z", "a"]})",
       {R"({"z":[],"a":1})"},
       {R"({"a":1})"}},
      {R"({"type": "integer", "minimum": 9223372036854775806, "maximum": 9223372036854775807})",
       {"9223372036854775807"},
       {"1"}},
      {R"({"type": "object"})", {"{}", R"({"x": [1]})"}, {"[]"}},
      {R"({"anyOf": [{"type": "integer"}, {"type": "boolean"}]})", {"1", "true"}, {"null"}},
      {R"({"$defs": {"list": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/list"},
           {"type": "null"}]}}, "required": ["next"]}}, "$ref": "#/$defs/list"})",
       {R"({"next":null})", R"({"next":{"next":null}})"},
       {R"({"next":1})"}},
      {R"({"properties": {"a\"b\\\n": {"type": "integer"}}, "required": ["a\"b\\\n"]})",
       {R"({"a\"b\\\n":1})"},
       {R"({"ab":1})"}},
      {"{}", {"1", "\"a\"", "{\"a\": [true]}"}, {"a"}},
      {R"({"type": "array", "items": {"type": "integer"}, "maxItems": 1000000000})",
       {"[1,2]"},
       {"1"}},
  };
  for (const GrammarCase& row : cases) {
    const auto grammar = grammar_of(row.schema);
    ASSERT_TRUE(grammar) << row.schema << ": " << grammar.error().message;
    for (const std::string& text : row.good)
      EXPECT_TRUE(accepts(*grammar, text)) << row.schema << " should take " << text << "\n"
                                           << *grammar;
    for (const std::string& text : row.bad)
      EXPECT_FALSE(accepts(*grammar, text)) << row.schema << " should not take " << text;
  }
}

TEST(Grammar, RefusesWhatNothingCanSatisfy) {
  for (const std::string schema :
       {"false", R"({"enum": []})", R"({"anyOf": []})", R"({"type": []})",
        R"({"type": "integer", "minimum": 5, "maximum": 1})",
        R"({"type": "number", "minimum": 0.5, "maximum": 0.4})",
        R"({"type": "string", "minLength": 5, "maxLength": 1})",
        R"({"type": "array", "minItems": 2, "maxItems": 1})", R"({"type": "text"})",
        R"({"$ref": "#/nowhere"})", R"({"$ref": "http://elsewhere/schema"})",
        R"({"$ref": "#bad"})"}) {
    const auto grammar = grammar_of(schema);
    ASSERT_FALSE(grammar) << schema;
    EXPECT_EQ(grammar.error().kind, ErrorKind::Invalid) << schema;
  }
}

// llama.cpp refuses a repetition of more than 2,000 rules, and prints the grammar.
TEST(Grammar, ManyMembersThatMayBeLeftOutAreHeldTo) {
  Json properties = Json::object();
  for (int i = 100; i < 200; ++i)
    properties[fmt::format("m{}", i)] = {
        {"anyOf", {{{"type", "boolean"}}, {{"type", "string"}, {"maxLength", 200}}}}};
  for (const Json& required : {Json::array(), Json::array({"m150"})}) {
    const auto grammar =
        make_grammar({{"type", "object"}, {"properties", properties}, {"required", required}});
    ASSERT_TRUE(grammar) << grammar.error().message;
    EXPECT_EQ(accepts(*grammar, "{}"), required.empty());
    EXPECT_TRUE(accepts(*grammar, R"({"m150":true})"));
    EXPECT_TRUE(accepts(*grammar, R"({"m150":true,"m151":"a","m199":false})"));
    EXPECT_FALSE(accepts(*grammar, R"({"m150":true,"m199":false,"m151":true})"));
  }
}

TEST(Grammar, ManyValuesHaveTheirBeginningsInCommon) {
  Json values = Json::array();
  std::string longest;
  for (int i = 0; i < 2000; ++i) values.push_back(fmt::format("fox {}", i));
  for (int i = 0; i < 100; ++i) values.push_back(longest += "a");  // each begins the next
  const auto grammar = make_grammar({{"enum", values}});
  ASSERT_TRUE(grammar) << grammar.error().message;
  EXPECT_EQ(grammar->find("fox "), grammar->rfind("fox "));
  EXPECT_TRUE(accepts(*grammar, "\"fox 1999\""));
  EXPECT_FALSE(accepts(*grammar, "\"fox 2000\""));
  EXPECT_TRUE(accepts(*grammar, "\"" + longest.substr(1) + "\""));
  EXPECT_FALSE(accepts(*grammar, "\"" + longest + "a\""));
}

TEST(Grammar, RefusesASchemaThatIsTooLong) {
  Json values = Json::array();
  for (int i = 0; i < 60'000; ++i) values.push_back(fmt::format("{} values", i));
  const auto grammar = make_grammar({{"enum", values}});
  ASSERT_FALSE(grammar);
  EXPECT_EQ(grammar.error().kind, ErrorKind::Invalid);
  EXPECT_NE(grammar.error().message.find("list fewer values"), std::string::npos);
}

TEST(Grammar, RefusesASchemaThatIsTooDeep) {
  Json schema = {{"type", "integer"}};
  for (int i = 0; i < 1000; ++i) schema = {{"type", "array"}, {"items", schema}};
  const auto grammar = make_grammar(schema);
  ASSERT_FALSE(grammar);
  EXPECT_NE(grammar.error().message.find("too deep"), std::string::npos);
}

}  // namespace
}  // namespace personascope::llm::embedded
