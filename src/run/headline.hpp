// The most important number of what a run found.
#pragma once

#include <optional>

#include "base/json.hpp"
#include "core/metric.hpp"

namespace personascope::run {

// Of the results of any evaluation; nothing if they have no score.
std::optional<core::Metric> find_headline(const Json& results);

}  // namespace personascope::run
