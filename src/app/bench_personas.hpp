// Personas for the bench, drawn by lot.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/context.hpp"
#include "base/json.hpp"

namespace personascope::app {

struct PersonasCommand {
  std::int64_t count = 300;
  std::uint64_t seed = 0;
  std::optional<std::string> output;  // a file; nothing or "-": `write` gets the lines
  std::optional<std::string> tables;  // a folder like data/bench, in its place
};

// Draws them and writes a line each. Returns {"personas", "duplicates", "attributes": how varied
// they are, "drawn_anew": {rule: how often}, "seed", "output"}.
Result<Json> draw_personas(const Context& context, const PersonasCommand& command,
                           const std::function<Result<void>(std::string_view)>& write);

}  // namespace personascope::app
