// A run in one file: a ZIP file with the run, its items, findings, calls and attempts, which moves
// it to another store.
//
// Members: run.json, calls.jsonl, attempts.jsonl, items.jsonl, and bundle.json, which has the
// version of the form and the number of lines and the checksum of each.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "report/run_export.hpp"
#include "store/run_source.hpp"

namespace personascope::report {

struct BundleCounts {
  std::int64_t items = 0;
  std::int64_t calls = 0;
};

// Writes the file; it appears only when it is whole. Without texts it has neither calls nor
// documents, reasons, notes or the plan: outcomes, scores and findings stay.
Result<BundleCounts> write_bundle(store::RunSource& source, Texts texts, const std::string& path);

// The run of a bundle. The file is outside data: reading fails as Invalid with one sentence if
// anything in it is not as write_bundle() makes it.
class Bundle : public store::RunSource {
 public:
  // Fails as NotFound if there is no file; as Invalid if it is no bundle or is one of a newer
  // version.
  static Result<std::unique_ptr<Bundle>> open(const std::string& path);

  virtual bool is_redacted() const = 0;
  // May be changed before the run is stored.
  virtual Json& plan() = 0;
};

}  // namespace personascope::report
