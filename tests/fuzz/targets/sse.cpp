// Server-sent events, fed whole and in pieces. The first byte is the pieces' size.
#include "llm/providers/sse.hpp"

#include <vector>

#include "property.hpp"

using namespace personascope;

static std::vector<std::string> read_events(std::string_view bytes, std::size_t piece) {
  llm::SseReader reader;
  std::vector<std::string> events;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
    reader.feed(bytes.substr(0, piece), [&](std::string_view data) { events.emplace_back(data); });
  return events;
}

FUZZ_TARGET(sse, bytes) {
  if (bytes.empty()) return;
  const std::size_t piece = static_cast<unsigned char>(bytes[0]) % 16 + 1;
  bytes.remove_prefix(1);
  const auto events = read_events(bytes, bytes.size());
  fuzz::require(read_events(bytes, piece) == events, "events do not depend on the pieces");
}
