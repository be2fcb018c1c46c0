#include "llm/embedded/text_stream.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::llm::embedded {
namespace {

// The length of the unfinished UTF-8 character at the end of the text; 0 if there is none.
std::size_t unfinished_tail(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;  // goes on with the character before
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

}  // namespace

TextStream::TextStream(std::vector<std::string> stop) : stop_(std::move(stop)) {
  std::erase(stop_, "");
}

std::size_t TextStream::uncertain() const {
  std::size_t most = unfinished_tail(held_);
  for (const std::string& stop : stop_)
    for (std::size_t length = std::min(stop.size() - 1, held_.size()); length > most; --length)
      if (std::string_view(held_).ends_with(std::string_view(stop).substr(0, length))) {
        most = length;
        break;
      }
  return most;
}

std::string TextStream::add(std::string_view piece) {
  if (is_stopped_) return "";
  held_ += piece;
  std::size_t end = std::string::npos;
  for (const std::string& stop : stop_) end = std::min(end, held_.find(stop));
  if (end != std::string::npos) {
    is_stopped_ = true;
    held_.resize(end);
    return finish();
  }
  const std::size_t certain = held_.size() - uncertain();
  std::string text = make_utf8(std::string_view(held_).substr(0, certain));
  held_.erase(0, certain);
  return text;
}

std::string TextStream::finish() {
  std::string text = make_utf8(held_);
  held_.clear();
  return text;
}

}  // namespace personascope::llm::embedded
