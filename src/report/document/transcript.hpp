// An item of a run with its texts, for a report.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/item.hpp"
#include "report/document/block.hpp"

namespace personascope::report {

inline constexpr std::size_t kLongestTranscriptText = 10'000;  // bytes; the rest is in the store

// The persona or user, question, answer or dialogue, and each verdict with its reasons. Texts that
// are longer are cut, and the cut says which command shows all.
TranscriptBlock make_transcript(std::int64_t run, const core::ItemRecord& item);

}  // namespace personascope::report
