// Stored runs as rows of a file: their items, findings or calls.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/findings.hpp"
#include "report/row_writer.hpp"
#include "store/reader.hpp"

namespace personascope::report {

enum class ExportWhat { Items, Findings, Calls };
enum class Texts { Keep, LeaveOut };

struct ExportOptions {
  std::vector<std::int64_t> runs;
  ExportWhat what = ExportWhat::Items;
  Texts texts = Texts::Keep;
  store::ItemFilter filter{};     // of items and calls
  std::string parquet_program{};  // that writes Parquet; needed for that only
  // Turns the results of a run into findings; needed for findings only.
  std::function<core::Findings(const Json& results)> describe{};
};

// Writes every row and returns how many there were. All rows have the same members; tables for
// print (Markdown, LaTeX) have the small ones only. Fails as NotFound if there is no such run, or
// no program for Parquet.
Result<std::int64_t> export_runs(store::Reader& reader, const ExportOptions& options,
                                 RowFormat format, WriteText write);

}  // namespace personascope::report
