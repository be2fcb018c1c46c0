// JSON text: what is rendered reads back as the same value.
#include "base/json.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(json, bytes) {
  const auto value = parse_json(bytes);
  if (!fuzz::succeeds(value)) return;
  for (const std::string& text : {render_json(*value), render_pretty_json(*value)}) {
    const auto again = parse_json(text);
    fuzz::require(again && *again == *value, "rendered JSON reads back the same");
    fuzz::require(render_json(*again) == render_json(*value), "equal values render to equal bytes");
  }
  for (const char* key : {"a", "text", ""}) {
    find_member(*value, key);
    find_text(*value, key);
    find_integer(*value, key);
    find_number(*value, key);
  }
}
