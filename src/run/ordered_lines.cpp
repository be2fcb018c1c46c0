#include "run/ordered_lines.hpp"

namespace personascope::run {

Result<void> OrderedLines::put(std::int64_t index, std::string line) {
  line += '\n';
  if (index != next_) {
    waiting_bytes_ += line.size();
    waiting_.emplace(index, std::move(line));
    return {};
  }
  RETURN_IF_ERROR(write_(line));
  ++next_;
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
       first = waiting_.erase(first), ++next_) {
    waiting_bytes_ -= first->second.size();
    RETURN_IF_ERROR(write_(first->second));
  }
  return {};
}

}  // namespace personascope::run
