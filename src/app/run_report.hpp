// A report of stored runs, as one file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/result.hpp"

namespace personascope::app {

struct ReportCommand {
  std::vector<std::int64_t> runs;  // at least one
  std::int64_t transcripts = 0;    // items of each run with their texts
  bool worst_first = false;        // the items with the lowest scores
  bool redact = false;             // no text of a persona, model or judge
  std::string output;              // ends in .html, .md or .tex
};

// Returns the file's size in bytes. Fails as Invalid for another ending and for transcripts that
// are redacted, and as NotFound if there is no such run; the file appears only when it is whole.
Result<std::size_t> write_report(Context& context, const ReportCommand& command);

}  // namespace personascope::app
