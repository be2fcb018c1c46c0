// One string literal of Python source: prefix, quotes, escapes and, in an f-string, its fields.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope::files {

struct PythonString {
  std::string text;
  bool is_template = false;  // an f-string: `text` is in str.format's syntax ({name}, {{ and }})
};

struct PythonStringToken {
  std::string_view prefix;  // of r, u, b, f, in any case
  std::string_view body;
  std::size_t length = 0;  // with prefix and quotes; if not closed, up to where a reader may go on
  bool is_closed = true;
};

// The literal at the very front of `text`, or nothing if none begins there. One that is not closed
// ends with its line, or with the text if it has triple quotes.
std::optional<PythonStringToken> find_python_string(std::string_view text);

// Fails as Unparsable with a phrase that says why: not closed, bytes, \N{…} and broken escapes, a
// surrogate, an f-string with anything but plain names in its braces.
Result<PythonString> parse_python_string(const PythonStringToken& token);

// \r\n and \r become \n, as Python does to its sources and to text files it reads.
std::string make_python_newlines(std::string_view text);

bool is_python_name_start(char c);  // of the ASCII names, all that is read here
bool is_python_name_part(char c);

}  // namespace personascope::files
