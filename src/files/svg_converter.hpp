// SVG to PNG and PDF, by librsvg's own program. See docs/design/charts.md for why it is a program
// of its own.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope::files {

class Environment;

enum class PictureFormat { Png, Pdf };

// Where rsvg-convert is: $PERSONASCOPE_RSVG_CONVERT, else the first one on the PATH; empty if there
// is none.
std::string find_svg_converter(const Environment& environment);

// The picture's bytes; PNG at twice the size, for sharp print. The program is started without a
// shell, gets the SVG on standard input and none of our environment. Fails as NotFound, saying how
// to get the program, if it is not there, and as Storage, with its reason, if it fails.
Result<std::string> convert_svg(std::string_view svg, PictureFormat format,
                                const std::string& program);

}  // namespace personascope::files
