// YAML read as JSON values.
#include "files/yaml.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(yaml, bytes) {
  const auto value = files::parse_yaml(bytes, "file");
  if (!fuzz::succeeds(value)) return;
  const auto again = parse_json(render_json(*value));
  fuzz::require(again && *again == *value, "what YAML holds reads back from JSON the same");
}
