// The tables that the lens' users are drawn from.
#include "eval/personalens/people.hpp"

#include "files/yaml.hpp"
#include "property.hpp"

using namespace personascope;
namespace lens = personascope::eval::personalens;

FUZZ_TARGET(lens_people, bytes) {
  const auto value = files::parse_yaml(bytes, "people.yaml");
  if (!fuzz::succeeds(value)) return;
  fuzz::succeeds(lens::parse_people(*value, "people.yaml"));
}
