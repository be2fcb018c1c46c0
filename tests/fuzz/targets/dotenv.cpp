// A file of NAME=value lines.
#include "files/environment.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(dotenv, bytes) {
  const auto variables = files::parse_dotenv(bytes);
  if (!fuzz::succeeds(variables)) return;
  for (const auto& [name, value] : *variables) {
    fuzz::require(!name.empty() && name.find_first_of("= \t\n\"'#") == name.npos,
                  "a variable has a name");
    fuzz::require(value.find('\n') == value.npos, "a value is on one line");
  }
  files::Environment(*variables).find("OPENAI_API_KEY");
}
