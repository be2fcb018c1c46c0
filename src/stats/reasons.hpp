// Why an estimate is to be trusted less, or has no interval: as codes with numbers for programs,
// and as sentences for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "stats/estimate.hpp"

namespace personascope::stats {

// One for each caveat: {"code": "few_clusters", "clusters": 7, "needed": 10}. "needed" is there
// where a number of clusters or labels decides, "largest_share" and "effective_clusters" where one
// cluster dominates.
Json reasons_of(const Estimate& estimate);

// The caveats as sentences; `unit` names an independent unit, in the singular.
std::vector<std::string> sentences_of(const Estimate& estimate, std::string_view unit);

}  // namespace personascope::stats
