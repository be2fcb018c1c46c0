#include "llm/providers/sse.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace personascope::llm {
namespace {

std::vector<std::string> read(std::string_view bytes, std::size_t step) {
  SseReader reader;
  std::vector<std::string> events;
  for (std::size_t at = 0; at < bytes.size(); at += step)
    reader.feed(bytes.substr(at, step), [&](std::string_view data) { events.emplace_back(data); });
  return events;
}

TEST(Sse, CutsEventsOutOfPiecesOfAnySize) {
  const std::string_view bytes =
      "data: one\n\nevent: x\nid: 7\ndata:two\n\n: comment\n\ndata: a\r\ndata: "
      "b\r\n\r\n\n\ndata:\n\n";
  const std::vector<std::string> events{"one", "two", "a\nb", ""};
  for (std::size_t step = 1; step <= bytes.size(); ++step)
    EXPECT_EQ(read(bytes, step), events) << step;
}

TEST(Sse, LeavesOutAnEventThatDoesNotEnd) {
  EXPECT_TRUE(read("data: half", 3).empty());
  EXPECT_TRUE(read("data: half\n", 3).empty());
}

TEST(Sse, KeepsAllButOneLeadingBlank) {
  EXPECT_EQ(read("data:  x \n\n", 1), std::vector<std::string>{" x "});
}

}  // namespace
}  // namespace personascope::llm
