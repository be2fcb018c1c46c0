// The program's version.
#pragma once

#include <string_view>

namespace personascope::app {

std::string_view version();

}  // namespace personascope::app
