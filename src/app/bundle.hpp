// Runs that move from one store to another in a file.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "report/bundle.hpp"

namespace personascope::app {

using report::BundleCounts;
using report::Texts;

// Writes the run as a bundle (report/bundle.hpp). Fails as NotFound if there is no such run, as
// Storage if the file cannot be written.
Result<BundleCounts> export_bundle(Context& context, std::int64_t run, Texts texts,
                                   const std::string& path);

struct BundleImport {
  std::int64_t run = 0;    // its number here
  bool was_there = false;  // it was imported or made here before; nothing was written
  bool is_redacted = false;
  std::string command;
  std::int64_t items = 0;
  std::int64_t differing_answers = 0;  // calls that have another answer here
  std::string output;                  // where `resume` would write what the run wrote, if it did
};
Json to_json(const BundleImport& imported);

// Stores the run of a bundle, whole or not at all. A bundle may come from somebody else: it never
// decides where files are written, so a file that the run wrote gets a name of ours in the present
// folder. Its answers are used by later runs that make the same calls. Fails as Invalid, with one
// sentence, on a file that is no bundle, is damaged, or has values that cannot be.
Result<BundleImport> import_bundle(Context& context, const std::string& path);

}  // namespace personascope::app
