// Text from outside in documents of markup: HTML, SVG, XML.
#pragma once

#include <string>
#include <string_view>

namespace personascope::report {

// Safe as content of an element and within a quoted attribute, of HTML and of XML: markup and
// quotes become entities; control characters, bytes that are not UTF-8 and characters that XML
// forbids become U+FFFD; characters that reorder the text around them are left out. Tabs and
// newlines stay.
std::string escape_markup(std::string_view text);

}  // namespace personascope::report
