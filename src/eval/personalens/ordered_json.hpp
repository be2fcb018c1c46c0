// JSON with its members in the order of the file: what the published program prints from a profile
// comes in that order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace personascope::eval::personalens {

struct OrderedJson {
  enum class Kind { Scalar, Text, List, Object };
  Kind kind = Kind::Scalar;
  std::string key;   // of a member
  std::string text;  // of a text; a scalar (number, true, null) as it is written
  std::vector<OrderedJson> children;

  // The member of that name; null if this is no object or there is none.
  const OrderedJson* find(std::string_view name) const;
};

// Fails as Unparsable on malformed text and on nesting deeper than 20.
Result<OrderedJson> parse_ordered_json(std::string_view text);

}  // namespace personascope::eval::personalens
