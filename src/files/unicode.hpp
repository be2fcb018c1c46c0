// Characters of UTF-8 text as numbers, and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace personascope::files {

// Takes the first character off `text`, which must be UTF-8 and not empty.
std::uint32_t take_code_point(std::string_view& text);

// False, and nothing is appended, for what UTF-8 cannot hold: surrogates and numbers above
// 0x10FFFF.
bool append_code_point(std::string& text, std::uint32_t code);

}  // namespace personascope::files
