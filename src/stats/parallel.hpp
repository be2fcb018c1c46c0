// Replicates spread over threads in fixed blocks; results do not depend on which thread runs a
// block.
#pragma once

#include <cstddef>
#include <functional>

namespace personascope::stats {

// Calls `work(first, last)` for consecutive ranges that together cover 0..count, on up to `threads`
// threads (the caller's is one of them). `work` must not throw and must be safe to call at once
// for different ranges. Where no thread can be started, the caller's does all the work.
void for_each_block(std::size_t count, unsigned threads,
                    const std::function<void(std::size_t first, std::size_t last)>& work);

}  // namespace personascope::stats
