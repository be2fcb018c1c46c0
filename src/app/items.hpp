// Statistics of the items of stored runs, and the reliability of the test that they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/result.hpp"
#include "report/item_statistics.hpp"

namespace personascope::app {

// For user interfaces, which include app, core and base only.
using report::ItemFlag;
using report::ItemReport;
using report::ItemStatistics;
using report::LargerTest;
using report::Reliability;

struct ItemsRequest {
  std::vector<std::int64_t> runs;     // of several models on the same items
  std::optional<std::string> score;   // of items with several; nothing: the main one
  std::optional<std::string> output;  // a file for all items, in the form that its name tells
};

// Fails as NotFound if there is no such run, and as Invalid if one is not done or has no scores, or
// if they are not of the same items.
Result<ItemReport> describe_items(Context& context, const ItemsRequest& request);

}  // namespace personascope::app
