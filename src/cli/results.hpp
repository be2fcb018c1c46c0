// What a run found, for people, whichever evaluation it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/json.hpp"

namespace personascope::cli {

enum class NotesShown { Important, All };

// Sentences are at most 100 columns wide, 80 in a pipe; tables in a pipe are as wide as their
// texts. Empty if there is nothing to show.
std::string render_results(const Json& results, std::int64_t run,
                           NotesShown notes = NotesShown::Important);

}  // namespace personascope::cli
