// The records of a run as JSON and back: the lines of a bundle (report/bundle.hpp).
//
// What is parsed is outside data. Every parse_ function fails as Invalid, naming the member, on a
// value that is missing, has another type, is out of range, or, in a name, has control characters.
#pragma once

#include "base/json.hpp"
#include "base/result.hpp"
#include "store/run_source.hpp"

namespace personascope::report {

Json render_run(const store::RunRecord& run);
Result<store::RunRecord> parse_run(const Json& value);

Json render_call(const store::SourceCall& call);
// Also fails if the key is not that of the call's texts, or the answer is an error that no answer
// can be.
Result<store::SourceCall> parse_call(const Json& value);

Json render_attempt(const store::AttemptRecord& attempt);
Result<store::AttemptRecord> parse_attempt(const Json& value);

Json render_item(const store::SourceItem& item);
Result<store::SourceItem> parse_item(const Json& value);

}  // namespace personascope::report
