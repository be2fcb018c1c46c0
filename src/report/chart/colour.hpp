// Colours that stand for numbers.
#pragma once

#include <string>

namespace personascope::report {

// "#440154" at 0 to "#fde725" at 1: viridis, whose lightness grows evenly.
std::string viridis(double share);

// Black or white, whichever is easier to read on the colour.
std::string readable_on(const std::string& colour);

}  // namespace personascope::report
