#include "stats/golden_test.hpp"

#include <fstream>

namespace personascope::stats {

const Json& golden() {
  static const Json values = [] {
    std::ifstream file(PERSONASCOPE_STATS_TESTDATA "/statistics.json");
    return Json::parse(file);
  }();
  return values;
}

std::vector<double> numbers(const Json& list) {
  return list.get<std::vector<double>>();
}

std::vector<std::size_t> keys(const Json& list) {
  return list.get<std::vector<std::size_t>>();
}

std::vector<int> integers(const Json& list) {
  return list.get<std::vector<int>>();
}

}  // namespace personascope::stats
