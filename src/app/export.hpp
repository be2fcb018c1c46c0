// Taking stored runs out, into a file or to standard output.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "app/context.hpp"
#include "base/result.hpp"
#include "report/run_export.hpp"

namespace personascope::app {

using report::ExportOptions;
using report::ExportWhat;
using report::Texts;

struct ExportCommand {
  ExportOptions options;
  std::string output;  // a file whose ending tells the form; "-": JSONL through write_output
  std::function<Result<void>(std::string_view)> write_output{};
};

// Returns how many rows were written. Fails as Invalid for an ending that is no form, and as
// NotFound if there is no such run; the file appears only when it is whole.
Result<std::int64_t> export_runs(Context& context, const ExportCommand& command);

}  // namespace personascope::app
