// Text that fits a terminal: broken between words, never inside one that fits a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace personascope::cli {

// The text in lines of at most `columns`, each with `indent` blanks before it. Newlines of the text
// stay. A word that is longer than a line is broken. Ends with a newline unless it is empty.
std::string wrap(std::string_view text, std::size_t columns, std::size_t indent = 0);

}  // namespace personascope::cli
