// AWS's shared files of keys and settings.
#include "llm/providers/aws_profiles.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(aws_sections, bytes) {
  const auto sections = llm::parse_aws_sections(bytes);
  if (!fuzz::succeeds(sections)) return;
  for (const auto& [title, settings] : *sections) {
    fuzz::require(!title.empty() && title.find(']') == title.npos, "a section has a title");
    for (const auto& [name, value] : settings) {
      fuzz::require(name == lower(trim(name)), "a setting's name is in lower case");
      fuzz::require(value == trim(value), "a value has no outer blanks");
    }
  }
}
