// File names made from any text: a persona, a model. Such a text is never used as a path.
#pragma once

#include <string>
#include <string_view>

namespace personascope::files {

// The text itself if it is a valid file name on every system and not a path: at most 200 bytes of
// UTF-8 without slashes, backslashes, control characters, a leading dot or blanks at its ends. Else
// a short form of it with a hash, so that different texts get different names.
std::string make_safe_name(std::string_view text);

// Whether the text would stay as it is.
bool is_safe_name(std::string_view text);

}  // namespace personascope::files
