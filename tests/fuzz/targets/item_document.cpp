// An item's document and a run's main score, as they are stored.
#include "core/item.hpp"
#include "core/metric.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(item_document, bytes) {
  const auto value = parse_json(bytes);
  if (!value) return;
  Json document = *value;
  core::resolve_calls(document, {"the text of the first call", R"({"score": 4})"});
  fuzz::require(parse_json(render_json(document)).has_value(), "a resolved document is JSON");
  const Json metric = core::to_json(core::read_metric(*value));
  fuzz::require(core::to_json(core::read_metric(metric)) == metric, "a metric reads back the same");
}
