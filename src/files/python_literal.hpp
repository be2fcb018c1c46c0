// Values written as Python literals, read without running anything.
//
// Texts, numbers, True, False, None, lists, tuples (as lists) and dicts with texts as keys (in
// alphabetical order, the last of equal keys wins); strings side by side are joined. Nesting is
// bounded at 100.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::files {

struct PythonLiteral {
  Json value;
  bool is_template = false;  // an f-string: the text is in str.format's syntax
};

// The whole text as a value, as ast.literal_eval reads it; fails as Unparsable, with the line.
// For model replies, too.
Result<Json> parse_python_literal(std::string_view text);

// The literal at `at`, which moves behind it, at the end of a statement: a line end, a semicolon,
// a comment or the end of the text follows. Else fails as Unparsable with a phrase that says why;
// `at` is then anywhere. Line ends are \n.
Result<PythonLiteral> read_python_literal(std::string_view text, std::size_t& at);

}  // namespace personascope::files
