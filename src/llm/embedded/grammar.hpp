// From a JSON schema to a grammar in llama.cpp's notation (GBNF), which holds an answer to the
// schema while it is generated.
#pragma once

#include <string>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::llm::embedded {

// Understands type, enum, const, properties, required, items, minItems, maxItems, minLength,
// maxLength, minimum, maximum, anyOf, oneOf and $ref into the schema itself; passes over any other
// keyword (the answer is checked against the whole schema afterwards). An object's members come in
// the order of `required`, then the others by name: put the reason before the verdict there. Fails
// as Invalid if nothing could satisfy the schema, or if it is too deep or too long. llama.cpp
// prints a grammar that it cannot read, and its bounds are tight: so no repetition here holds more
// than names of rules.
Result<std::string> make_grammar(const Json& schema);

}  // namespace personascope::llm::embedded
