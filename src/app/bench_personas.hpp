// Personas for the bench, drawn by lot; their open attributes drawn as well, or written by a model.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/context.hpp"
#include "app/evaluation.hpp"
#include "base/json.hpp"
#include "run/estimate.hpp"
#include "run/run.hpp"

namespace personascope::app {

struct PersonasCommand {
  std::int64_t count = 300;
  std::uint64_t seed = 0;
  std::optional<std::string> output;  // a file; nothing or "-": `write` gets the lines
  std::optional<std::string> tables;  // a folder like data/bench, in its place

  std::string model;  // writes the open attributes; empty: they are drawn from lists
  std::optional<std::string> base_url;
  std::string judge;  // of their consistency; empty: the model
  std::optional<double> temperature;
  run::EngineOptions engine;
};

// Draws them and writes a line each. Returns {"personas", "duplicates", "attributes": how varied
// they are, "drawn_anew": {rule: how often}, "seed", "output"}.
Result<Json> draw_personas(const Context& context, const PersonasCommand& command,
                           const std::function<Result<void>(std::string_view)>& write);

// With a model: a run, which `resume` takes up again. Checks everything that can be checked before
// anything is spent; Invalid without a file to write.
Result<run::Run> start_writing_personas(Context& context, const PersonasCommand& command,
                                        const Listener& listener);
Result<std::vector<run::Estimate>> estimate_writing_personas(Context& context,
                                                             const PersonasCommand& command);
// The evaluation of a stored plan.
Result<EvaluationSetup> load_writing_personas(const Json& stored);

}  // namespace personascope::app
