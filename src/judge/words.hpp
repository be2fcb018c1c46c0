// The words of a text that tell it from others: folded, in lower case, of four letters or more.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace personascope::judge {

// Whether a word goes on with this byte: letters, digits, and all that is not ASCII.
bool is_word_part(char c);

std::set<std::string> words_of(std::string_view text);

}  // namespace personascope::judge
