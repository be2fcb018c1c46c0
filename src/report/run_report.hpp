// A report of stored runs: headline, outcomes, charts, tables, notes, how it was made, method,
// and chosen transcripts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/findings.hpp"
#include "report/document/block.hpp"
#include "report/run_export.hpp"
#include "store/reader.hpp"

namespace personascope::report {

struct ReportOptions {
  std::vector<std::int64_t> runs;                       // at least one
  std::int64_t transcripts = 0;                         // of each run
  store::ItemOrder order = store::ItemOrder::Position;  // of the transcripts
  Texts texts = Texts::Keep;  // LeaveOut: no text of a persona, model or judge is in it
  std::string version;        // of the program that writes it
  // Turns the results of a run into findings.
  std::function<core::Findings(const Json& results)> describe{};
};

struct RunReport {
  std::string title;
  std::vector<Block> blocks;
};

// Fails as NotFound if there is no such run, and as Storage.
Result<RunReport> make_report(store::Reader& reader, const ReportOptions& options);

}  // namespace personascope::report
