// Which options a configuration file may set, and for which commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/configuration.hpp"
#include "base/result.hpp"
#include "core/option.hpp"

namespace personascope::app {

// An option of a command.
struct Known {
  std::string command;  // "gym run"
  core::OptionSpec spec;
};

// The options called `name` that a value in this section would be used for; of a section that is
// empty, those of all commands for which the name means the same.
std::vector<Known> find_known(std::string_view section, std::string_view name);
// Their names, for a near one.
std::vector<std::string> list_known_names(std::string_view section);

// Whether a section of that name exists: "gym", "gym run", "batch".
bool is_section(std::string_view name);
std::vector<std::string> list_sections();

// Fails as Invalid, beginning with "cannot be set …", if a project's file may not set the option to
// the value.
Result<void> check_for_project(const core::OptionSpec& spec, const Json& value);

// Whether it is a limit on spending: a project's file can lower it and not raise it.
bool is_limit(std::string_view name);

}  // namespace personascope::app
