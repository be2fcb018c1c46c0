// A JSON value that fits a JSON schema, as a model with structured output would give it.
#pragma once

#include <cstdint>

#include "base/json.hpp"

namespace personascope::http::loopback {

// Understands type, properties, items, minItems, enum, const, minimum, maximum, anyOf, oneOf and
// $ref into the schema itself; null where it understands nothing. The seed chooses among values.
Json make_instance(const Json& schema, std::uint64_t seed);

}  // namespace personascope::http::loopback
