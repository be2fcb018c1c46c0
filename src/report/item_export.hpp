// Going through the items of a stored run, whole.
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.hpp"
#include "store/reader.hpp"

namespace personascope::report {

// Calls `visit` for every item that the filter finds, in its order, with document and calls, until
// it fails. Holds one page of items at a time; the filter's own offset and limit bound the whole.
Result<void> visit_items(store::Reader& reader, std::int64_t run, const store::ItemFilter& filter,
                         const std::function<Result<void>(const store::ItemDetails&)>& visit);

}  // namespace personascope::report
