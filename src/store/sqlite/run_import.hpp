// Writing a run that comes from elsewhere.
#pragma once

#include "base/result.hpp"
#include "store/run_transfer.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/text_codec.hpp"

namespace personascope::store {

// As RunTransfer::import_run, within a transaction, which must be undone if this fails.
Result<ImportedRun> import_run(Connection& connection, TextCodec& codec, RunSource& source);

}  // namespace personascope::store
