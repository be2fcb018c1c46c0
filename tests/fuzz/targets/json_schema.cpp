// A value checked against a schema. Input: the schema, "----", the value.
#include "llm/json_schema.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(json_schema, bytes) {
  const auto [schema_text, value_text] = fuzz::cut(bytes);
  const auto schema = parse_json(schema_text);
  const auto value = parse_json(value_text);
  if (!schema || !value) return;
  const auto fits = llm::check_schema(*schema, *value);
  if (!fits) fuzz::require_printable(fits.error());
  fuzz::require(llm::check_schema(true, *value).has_value(), "anything fits the schema true");
}
