#include "llm/providers/sse.hpp"

namespace personascope::llm {

void SseReader::feed(std::string_view bytes, const std::function<void(std::string_view)>& on_data) {
  for (;;) {
    const std::size_t end = bytes.find('\n');
    line_ += bytes.substr(0, end);
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    take_line(line_, on_data);
    line_.clear();
  }
}

void SseReader::take_line(std::string_view line,
                          const std::function<void(std::string_view)>& on_data) {
  if (line.empty()) {
    if (has_data_) on_data(data_);
    data_.clear();
    has_data_ = false;
    return;
  }
  if (!line.starts_with("data:")) return;  // event names, ids and comments carry nothing we need
  line.remove_prefix(5);
  if (line.starts_with(' ')) line.remove_prefix(1);
  if (has_data_) data_ += '\n';
  data_ += line;
  has_data_ = true;
}

}  // namespace personascope::llm
