// The JSON in a model's text.
#include "llm/structured.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(find_json, bytes) {
  const auto value = llm::find_json(bytes);
  if (!fuzz::succeeds(value)) return;
  const auto again = llm::find_json(render_json(*value));
  fuzz::require(again && *again == *value, "the JSON found is found again");
}
