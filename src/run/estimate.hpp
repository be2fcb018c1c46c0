// What a batch would take, before anything is spent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "run/options.hpp"
#include "run/session.hpp"

namespace personascope::run {

struct Estimate {
  std::string model;
  std::int64_t lines = 0;
  std::int64_t from_journal = 0;  // answered already
  std::int64_t calls = 0;         // still to be sent
  std::int64_t input_tokens = 0;
  std::int64_t most_output_tokens = 0;
  std::optional<double> most_cost_usd;  // nothing if the price is unknown
  std::optional<double> seconds;        // nothing until a call to the model was timed
};

Json to_json(const Estimate& estimate);

Result<Estimate> estimate_batch(const Surroundings& surroundings, const std::string& input,
                                const std::string& model,
                                const std::optional<std::string>& base_url,
                                const EngineOptions& engine);

}  // namespace personascope::run
