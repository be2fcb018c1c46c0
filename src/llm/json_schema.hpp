// Whether a JSON value fits a JSON schema: the part of the standard that answers of models need.
#pragma once

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::llm {

// Understands type, enum, const, properties, required, additionalProperties, items, anyOf, oneOf,
// allOf, $ref into the schema itself, and the bounds of numbers, texts and lists; passes over any
// other keyword, as the standard asks. Fails as Unparsable, naming the place and what is wrong
// there.
Result<void> check_schema(const Json& schema, const Json& value);

}  // namespace personascope::llm
