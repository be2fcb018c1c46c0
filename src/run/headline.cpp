#include "run/headline.hpp"

namespace personascope::run {
namespace {

// Where each evaluation keeps it, and what it is called there.
struct Place {
  const char* path;
  const char* name;
};
constexpr Place kPlaces[] = {{"/persona_score", "PersonaScore"},
                             {"/score", "score"},
                             {"/dimensions/task_completion", "task completion"},
                             {"/dimensions/personalization", "personalization"},
                             {"/lift", "persona lift"}};

// {"mean" or "rate": a number, "ci95"}, or {"mean": {"value", "interval"}}.
std::optional<core::Metric> read_score(const Json& score, const char* name) {
  core::Metric metric;
  metric.name = name;
  metric.value = find_number(score, "mean");
  if (!metric.value) metric.value = find_number(score, "rate");
  metric.interval = core::find_interval(score, "ci95");
  if (const Json* mean = find_member(score, "mean"); mean && mean->is_object()) {
    metric.value = find_number(*mean, "value");
    metric.interval = core::find_interval(*mean, "interval");
  }
  metric.n = find_integer(score, "n").value_or(0);
  metric.clusters = find_integer(score, "clusters").value_or(0);
  metric.scale = core::find_interval(score, "scale");
  if (!metric.value) return std::nullopt;
  return metric;
}

}  // namespace

std::optional<core::Metric> find_headline(const Json& results) {
  for (const Place& place : kPlaces) {
    const Json::json_pointer path(place.path);
    if (!results.is_object() || !results.contains(path)) continue;
    if (auto metric = read_score(results.at(path), place.name)) return metric;
  }
  return std::nullopt;
}

}  // namespace personascope::run
