#include "core/metric.hpp"

#include <gtest/gtest.h>

namespace personascope::core {
namespace {

TEST(Metric, ReadsBackAsItWasWritten) {
  Metric metric;
  metric.name = "PersonaScore";
  metric.group = "Expected Action";
  metric.value = 4.25;
  metric.interval = Interval{4, 4.5};
  metric.n = 200;
  metric.clusters = 20;
  metric.unit = "score";
  metric.scale = Interval{1, 5};
  EXPECT_EQ(to_json(read_metric(to_json(metric))), to_json(metric));
  Metric without;
  without.name = "PersonaScore";
  without.no_interval = "needs 5 personas";
  EXPECT_EQ(to_json(read_metric(to_json(without))), to_json(without));
}

TEST(Metric, TakesNothingFromWhatIsNoMetric) {
  for (const char* text :
       {"null", "[]", "3", R"({"value": "4", "interval": [1], "scale": [1, "a"]})",
        R"({"interval": {"low": 1}, "n": "many"})"}) {
    const Metric metric = read_metric(parse_json(text).value());
    EXPECT_EQ(to_json(metric), to_json(Metric{})) << text;
  }
}

}  // namespace
}  // namespace personascope::core
