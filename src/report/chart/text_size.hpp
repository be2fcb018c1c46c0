// How much room a text takes in a chart, and texts cut or broken to fit. Nothing here knows the
// font that will be used: widths are those of DejaVu Sans, which is wider than most.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace personascope::report {

// In the unit of the font's size.
double text_width(std::string_view text, double font_size);

// The text on one line, cut with an ellipsis if it is wider than `width`.
std::string fit_text(std::string_view text, double font_size, double width);

// The text in at most `max_lines` lines, broken between words; the last one is cut if more is left.
std::vector<std::string> break_text(std::string_view text, double font_size, double width,
                                    std::size_t max_lines);

}  // namespace personascope::report
