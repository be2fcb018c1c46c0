// Server-sent events, cut out of a byte stream that arrives in arbitrary pieces.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace personascope::llm {

class SseReader {
 public:
  // Feeds bytes; `on_data` gets the data of every event that is complete.
  void feed(std::string_view bytes, const std::function<void(std::string_view)>& on_data);

 private:
  void take_line(std::string_view line, const std::function<void(std::string_view)>& on_data);

  std::string line_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace personascope::llm
