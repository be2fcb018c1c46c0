// What is said and asked before a run starts and anything is spent: a text that makes it expensive,
// and an estimate above the amount that the user has set.
#pragma once

#include <cstdint>
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

// Names every text of the plan that is far longer than a persona or question usually is, with the
// tokens it adds to each call.
std::vector<std::string> name_long_texts(const Json& plan);

// The requests of a batch, of which one may be far longer than the others.
class LongestRequest {
 public:
  void add(const std::string& id, std::int64_t input_tokens);
  // A sentence about the longest one; empty if it is nothing unusual.
  std::string describe() const;

 private:
  std::string id_;
  std::int64_t longest_ = 0;
  std::int64_t tokens_ = 0;  // of all
  std::int64_t requests_ = 0;
};

}  // namespace personascope::app
