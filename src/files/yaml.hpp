// YAML read as JSON values, so that the rest of the program knows one kind of data.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::files {

// Plain scalars become null, booleans, decimal numbers or text as YAML 1.2 reads them; quoted ones
// stay text. Fails as Unparsable with the line, also where the text is not UTF-8; `name` is what
// the message calls the text.
Result<Json> parse_yaml(std::string_view text, const std::string& name);
Result<Json> load_yaml(const std::string& path);

}  // namespace personascope::files
