// Texts as Python 3.11's repr() prints them, for prompts that a Python program would have built by
// putting a list into a template.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace personascope::files {

// 'text', or "text" if it holds ' and no "; what is not printable is escaped. Bytes that are not
// UTF-8 count as U+FFFD.
std::string render_python_repr(std::string_view text);
// ['one', 'two']
std::string render_python_repr(const std::vector<std::string>& texts);

}  // namespace personascope::files
