// Where the keys of a YAML text are, for messages about them.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace personascope::files {

// The line, from 1, of each key of the outermost map ("model"), of the maps in it ("gym/model") and
// so on, and of the elements of lists ("models/0"). The text must have passed parse_yaml, which
// bounds its size; empty if it is a single value.
std::map<std::string, int> find_key_lines(std::string_view text);

}  // namespace personascope::files
