// The characters that Python 3.11's str.isprintable() denies (Unicode 14), as sorted ranges.
#pragma once

#include <cstdint>
#include <span>

namespace personascope::files {

struct CodeRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

std::span<const CodeRange> python_unprintable();

}  // namespace personascope::files
