// Where the program's own data are: personas, questions, rubrics, prompts.
#pragma once

#include <string>

#include "app/context.hpp"
#include "base/result.hpp"

namespace personascope::app {

// The folder or file `name` ("gym") of the data: in $PERSONASCOPE_DATA, or where the program is
// installed. Fails as NotFound, saying what to set.
Result<std::string> find_data(const Context& context, const std::string& name);

// An imported pack's folder: `name` in the home folder's packs. Fails as NotFound, with the names
// of those that are there.
Result<std::string> find_pack(const Context& context, const std::string& name);

}  // namespace personascope::app
