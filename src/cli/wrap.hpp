// Text that fits a terminal: broken between words, never inside one that fits a line.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace personascope::cli {

// What happens to a word that is longer than a line. Paths and addresses are kept, so that they can
// be copied.
enum class LongWords { Break, Keep };

// The text in lines of at most `columns`, each with `indent` blanks before it. Newlines of the text
// stay. Ends with a newline unless it is empty.
std::string wrap(std::string_view text, std::size_t columns, std::size_t indent = 0,
                 LongWords long_words = LongWords::Break);

// A message for `stream`, which ends with a newline. In a terminal it is broken between words, and
// lines after the first have `indent` blanks; elsewhere it stays one line.
std::string wrap_message(std::FILE* stream, std::string_view text, std::size_t indent = 2);
// The same for a terminal of so many columns.
std::string hang(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace personascope::cli
