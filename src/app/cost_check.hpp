// What is asked before a run starts and anything is spent: whether an estimate above the amount
// that the user has set is all right.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "run/estimate.hpp"

namespace personascope::app {

using EstimateRun = std::function<Result<std::vector<run::Estimate>>()>;

// Asks whether to start if the run may cost more than `confirm_above`, or than a `max_cost` that
// comes from a configuration file; a price that is not known is more. `filled` are the options with
// those of the configuration, `given` without. Fails as Invalid if the answer is no or nobody can
// be asked.
Result<void> confirm_cost(const Context& context, const std::string& command, const Json& given,
                          const Json& filled, const EstimateRun& estimate,
                          const Listener& listener);

}  // namespace personascope::app
