// Text in a plainer form, for reading only: invisible characters gone, look-alikes made ASCII.
#pragma once

#include <string>
#include <string_view>

namespace personascope::judge {

// Whether folding could change anything: some byte is not ASCII.
bool has_foreign_bytes(std::string_view text);

// Drops zero-width and direction characters; makes wide blanks, full-width letters and digits,
// typographic quotation marks and dashes their ASCII relatives. All else stays, broken UTF-8 too.
std::string fold(std::string_view text);

}  // namespace personascope::judge
