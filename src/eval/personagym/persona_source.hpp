// Personas of the user's own: given one by one, or in a file of nearly any form.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "eval/personagym/pack.hpp"

namespace personascope::eval::personagym {

// A text file (a persona a line), YAML (a list of texts, or of objects), JSONL or CSV. Objects and
// rows have a text under "persona" (or "text", "description"); those without one are described by
// their attributes: "age: 41; work: welder". An "id" is kept if it has one. Fails as NotFound or
// Invalid, with file, line and remedy.
Result<std::vector<Persona>> load_persona_file(const std::string& path);

// '["a nurse", "a sailor"]', as the published program takes it: a JSON or Python list of texts.
Result<std::vector<std::string>> parse_persona_list(const std::string& text);

}  // namespace personascope::eval::personagym
