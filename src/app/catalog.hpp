// The commands that carry out a run, with all their options: what a door needs to offer them
// without knowing any of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option.hpp"
#include "run/estimate.hpp"
#include "run/run.hpp"

namespace personascope::app {

struct Command {
  std::string name;                       // "gym run"
  std::string sentence;                   // what it does
  std::vector<core::OptionSpec> options;  // those of the engine among them

  // `given` is an object of these options; what is not given has its default. Checks everything
  // that can be checked before anything is spent, then starts the run.
  std::function<Result<run::Run>(Context&, const Json& given, const Listener&)> start;
  // What it would take, by model and role. Sends nothing and stores nothing.
  std::function<Result<std::vector<run::Estimate>>(Context&, const Json& given)> estimate;
};

// All of them; made at the first call, from any thread.
const std::vector<Command>& list_commands();
// The command of that name, which must be there.
const Command& command_named(std::string_view name);

// The first option of that name of any command, or nothing.
std::optional<core::OptionSpec> find_option(std::string_view name);

}  // namespace personascope::app
