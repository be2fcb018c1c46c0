// Bytes made UTF-8, cut short, and split.
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(utf8, bytes) {
  const std::string text = make_utf8(bytes);
  fuzz::require(is_utf8(text), "make_utf8 gives UTF-8");
  fuzz::require(make_utf8(text) == text, "UTF-8 stays as it is");
  fuzz::require(!is_utf8(bytes) || text == bytes, "only what is not UTF-8 is replaced");
  for (const std::size_t most : {0u, 1u, 7u, 100u}) {
    const std::string cut = shorten(text, most);
    fuzz::require(is_utf8(cut), "shorten cuts between characters");
    fuzz::require(cut.size() <= most + std::string_view("…").size(), "shorten keeps its bound");
    shorten(bytes, most);
  }
  std::string joined;
  for (const std::string_view part : split(bytes, '\n')) joined.append(part).append("\n");
  joined.pop_back();
  fuzz::require(joined == bytes, "the parts of a split make up the whole");
  find_integer_in(bytes);
  find_number_in(bytes);
}
