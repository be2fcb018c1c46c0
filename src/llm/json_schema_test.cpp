#include "llm/json_schema.hpp"

#include <gtest/gtest.h>

namespace personascope::llm {
namespace {

struct SchemaCase {
  const char* schema;
  const char* value;
};

constexpr const char* kPerson =
    R"({"type":"object","properties":{"name":{"type":"string","minLength":2},
        "age":{"type":"integer","minimum":0,"maximum":150}},
        "required":["name"],"additionalProperties":false})";
constexpr const char* kTree =
    R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{
        "kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"additionalProperties":false}}})";

TEST(JsonSchema, AcceptsWhatFits) {
  const SchemaCase good[] = {
      {"{}", "null"},
      {"true", "7"},
      {kPerson, R"({"name":"Ada","age":36})"},
      {kPerson, R"({"name":"Åé"})"},
      {R"({"type":["string","null"]})", "null"},
      {R"({"type":"integer"})", "3.0"},
      {R"({"type":"number"})", "3"},
      {R"({"enum":["a",1,null]})", "null"},
      {R"({"const":null})", "null"},
      {R"({"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2})", R"(["a","b"])"},
      {R"({"exclusiveMinimum":0,"exclusiveMaximum":1})", "0.5"},
      {R"({"anyOf":[{"type":"string"},{"type":"number"}]})", "1"},
      {R"({"oneOf":[{"type":"string"},{"type":"number"}]})", "\"a\""},
      {R"({"allOf":[{"minimum":1},{"maximum":3}]})", "2"},
      {R"({"additionalProperties":{"type":"integer"}})", R"({"x":1})"},
      {R"({"type":"object","patternProperties":{"^x":{}},"additionalProperties":false})",
       R"({"x1":1})"},
      {R"({"format":"email","pattern":"^a"})", "\"b\""},
      {kTree, R"({"kids":[{"kids":[]},{}]})"},
      {R"({"type":"martian"})", "1"},
      {R"({"$ref":"#/nowhere"})", "1"},
      {R"({"$ref":"not a pointer"})", "1"},
      {R"({"minLength":"x"})", "\"\""},
  };
  for (const auto& [schema, value] : good) {
    const auto checked = check_schema(parse_json(schema).value(), parse_json(value).value());
    EXPECT_TRUE(checked) << schema << " " << value << ": " << checked.error().message;
  }
}

struct BadCase {
  const char* schema;
  const char* value;
  const char* message;
};

TEST(JsonSchema, SaysWhereAndWhatIsWrong) {
  const BadCase bad[] = {
      {"false", "1", "the answer is not allowed"},
      {kPerson, "[]", R"(the answer must be of type "object")"},
      {kPerson, R"({"age":1})", R"(the answer lacks "name")"},
      {kPerson, R"({"name":"A"})", R"("name" is too short (1 of at least 2))"},
      {kPerson, R"({"name":"Ada","age":1.5})", R"("age" must be of type "integer")"},
      {kPerson, R"({"name":"Ada","age":-1})", R"("age" must be at least 0)"},
      {kPerson, R"({"name":"Ada","age":151})", R"("age" must be at most 150)"},
      {kPerson, R"({"name":"Ada","job":"x"})", R"("job" is not allowed)"},
      {R"({"enum":["a","b"]})", "\"c\"", R"(the answer must be one of ["a","b"])"},
      {R"({"const":null})", "0", "the answer must be null"},
      {R"({"exclusiveMinimum":0})", "0", "the answer must be more than 0"},
      {R"({"exclusiveMaximum":1})", "1", "the answer must be less than 1"},
      {R"({"maxItems":1})", "[1,2]", "the answer is too long (2 of at most 1)"},
      {R"({"items":{"type":"string"}})", R"(["a",1])", R"([1] must be of type "string")"},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "1",
       "the answer fits none of the allowed forms"},
      {R"({"oneOf":[{"type":"integer"},{"type":"number"}]})", "1",
       "the answer must fit exactly one of the allowed forms"},
      {R"({"allOf":[{"minimum":1},{"maximum":3}]})", "4", "the answer must be at most 3"},
      {R"({"type":"boolean"})", "0", R"(the answer must be of type "boolean")"},
      {kTree, R"({"kids":[{"kids":[{"x":1}]}]})", R"("kids"[0].kids[0].x is not allowed)"},
  };
  for (const auto& [schema, value, message] : bad) {
    const auto checked = check_schema(parse_json(schema).value(), parse_json(value).value());
    ASSERT_FALSE(checked) << schema << " " << value;
    EXPECT_EQ(checked.error().kind, ErrorKind::Unparsable);
    EXPECT_EQ(checked.error().message, message);
  }
}

TEST(JsonSchema, EndsOnSchemasWithoutEnd) {
  for (const char* schema : {R"({"$ref":"#"})", R"({"allOf":[{"$ref":"#"}]})",
                             R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}]})"})
    EXPECT_FALSE(check_schema(parse_json(schema).value(), Json(1))) << schema;
}

}  // namespace
}  // namespace personascope::llm
