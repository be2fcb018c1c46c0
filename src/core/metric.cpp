#include "core/metric.hpp"

namespace personascope::core {

Json to_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return Json::array({interval->low, interval->high});
}

std::optional<Interval> find_interval(const Json& value, const char* member) {
  const Json* ends = find_member(value, member);
  if (!ends || !ends->is_array() || ends->size() != 2 || !(*ends)[0].is_number() ||
      !(*ends)[1].is_number())
    return std::nullopt;
  return Interval{(*ends)[0].get<double>(), (*ends)[1].get<double>()};
}

Json to_json(const Metric& metric) {
  Json value = {{"name", metric.name},
                {"group", metric.group},
                {"value", nullptr},
                {"interval", to_json(metric.interval)},
                {"no_interval", metric.no_interval},
                {"confidence", metric.confidence},
                {"n", metric.n},
                {"clusters", metric.clusters},
                {"unit", metric.unit},
                {"scale", to_json(metric.scale)},
                {"is_difference", metric.is_difference},
                {"p", nullptr},
                {"adjusted_p", nullptr},
                {"outcomes", nullptr},
                {"bounds", to_json(metric.bounds)}};
  if (metric.value) value["value"] = *metric.value;
  if (metric.p) value["p"] = *metric.p;
  if (metric.adjusted_p) value["adjusted_p"] = *metric.adjusted_p;
  if (metric.outcomes) value["outcomes"] = to_json(*metric.outcomes);
  return value;
}

Metric read_metric(const Json& value) {
  Metric metric;
  metric.name = find_text(value, "name").value_or("");
  metric.group = find_text(value, "group").value_or("");
  metric.value = find_number(value, "value");
  metric.interval = find_interval(value, "interval");
  metric.no_interval = find_text(value, "no_interval").value_or("");
  metric.confidence = find_number(value, "confidence").value_or(metric.confidence);
  metric.n = find_integer(value, "n").value_or(0);
  metric.clusters = find_integer(value, "clusters").value_or(0);
  metric.unit = find_text(value, "unit").value_or("");
  metric.scale = find_interval(value, "scale");
  metric.bounds = find_interval(value, "bounds");
  metric.p = find_number(value, "p");
  metric.adjusted_p = find_number(value, "adjusted_p");
  if (const Json* difference = find_member(value, "is_difference"))
    metric.is_difference = difference->is_boolean() && difference->get<bool>();
  if (const Json* outcomes = find_member(value, "outcomes"))
    metric.outcomes = read_outcome_counts(*outcomes);
  return metric;
}

}  // namespace personascope::core
