// A dialogue's file in the published form.
#include "eval/personalens/dialogue.hpp"

#include "property.hpp"

using namespace personascope;
namespace lens = personascope::eval::personalens;

FUZZ_TARGET(lens_dialogue, bytes) {
  const auto file = lens::parse_dialogue_file(bytes, "dialogue.json");
  if (!fuzz::succeeds(file)) return;
  const std::string written = lens::render_dialogue_file(*file);
  const auto again = lens::parse_dialogue_file(written, "dialogue.json");
  fuzz::require(again && lens::render_dialogue_file(*again) == written,
                "a dialogue reads back the same");
}
