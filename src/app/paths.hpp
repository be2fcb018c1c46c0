// Paths as a stored plan needs them.
#pragma once

#include "files/paths.hpp"

namespace personascope::app {

using files::check_not_same_file;
using files::make_absolute;

}  // namespace personascope::app
