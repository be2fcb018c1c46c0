// The engine's options as a stored plan has them.
#include "run/options.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(engine_options, bytes) {
  const auto value = parse_json(bytes);
  if (!value) return;
  const auto options = run::parse_stored_engine({{"engine", *value}});
  if (!fuzz::succeeds(options)) return;
  const Json stored = run::to_json(*options);
  fuzz::require(run::to_json(run::parse_stored_engine({{"engine", stored}}).value()) == stored,
                "options read back the same");
  fuzz::require(run::to_json(run::merge({}, *options)) == stored, "options merge over defaults");
  const http::Timeouts timeouts = run::timeouts_of(*options);
  fuzz::require(timeouts.total <= std::chrono::days{7}, "a time-out is at most a week");
  run::limits_of(*options);
  run::chain_options_of(*options);
}
