// Looking after the store's file.
#pragma once

#include <cstdint>
#include <functional>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "store/sqlite/store_care.hpp"

namespace personascope::app {

using store::Compaction;
using store::StoreCheck;

Result<StoreCheck> check_store(Context& context,
                               const std::function<void(std::int64_t)>& on_answers);
Result<Compaction> compact_store(Context& context);

Json to_json(const StoreCheck& check);

}  // namespace personascope::app
