// Templates: texts with {names} that are filled in.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace personascope::eval {

using Values = std::vector<std::pair<std::string_view, std::string_view>>;

// The template with every {name} of `values` replaced by its value, once.
std::string fill(std::string_view text, const Values& values);
// The same by the rules of Python's str.format: {{ and }} are braces.
std::string fill_python(std::string_view text, const Values& values);

}  // namespace personascope::eval
