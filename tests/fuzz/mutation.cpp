#include "mutation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace personascope::fuzz {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLongest = 64 << 10;
constexpr std::uint64_t kMostEdits = 6;
constexpr std::size_t kMostBytes = 16;

// What parsers stumble over.
constexpr std::array kPieces{"\0"sv,
                             "\n"sv,
                             "\r\n"sv,
                             "\x1b[31m"sv,
                             "\x7f"sv,
                             "\xff"sv,
                             "\xc2\x85"sv,
                             "\xed\xa0\x80"sv,
                             "\xef\xbb\xbf"sv,
                             "\""sv,
                             "\\"sv,
                             "\\u0000"sv,
                             "\\ud800"sv,
                             "{"sv,
                             "}"sv,
                             "["sv,
                             "]"sv,
                             "[[[[[[[["sv,
                             ":"sv,
                             ","sv,
                             "null"sv,
                             "true"sv,
                             "-1"sv,
                             "1e308"sv,
                             "1e999"sv,
                             "-1e300"sv,
                             "nan"sv,
                             "inf"sv,
                             "0.5"sv,
                             "2147483648"sv,
                             "9223372036854775807"sv,
                             "-9223372036854775808"sv,
                             "18446744073709551616"sv,
                             "data: "sv,
                             "\n\n"sv,
                             "\n----\n"sv,
                             "&a "sv,
                             "*a"sv,
                             "#"sv};

std::size_t make_place(const std::string& text, Random& random) {
  return static_cast<std::size_t>(random.below(text.size() + 1));
}

std::size_t make_length(Random& random) {
  return static_cast<std::size_t>(random.below(kMostBytes) + 1);
}

void edit(std::string& text, const std::vector<std::string>& seeds, Random& random) {
  const std::size_t at = make_place(text, random);
  switch (random.below(6)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(random.below(256));
      break;
    case 2:
      text.erase(at, make_length(random));
      break;
    case 3:
      text.insert(at, kPieces[random.below(kPieces.size())]);
      break;
    case 4: {
      const std::string copied = text.substr(at, make_length(random));
      text.insert(make_place(text, random), copied);
      break;
    }
    default: {
      const std::string& other = seeds[random.below(seeds.size())];
      text.replace(at, std::string::npos, other, make_place(other, random));
    }
  }
}

}  // namespace

std::string make_mutation(const std::vector<std::string>& seeds, Random& random) {
  std::string text = seeds[random.below(seeds.size())];
  for (std::uint64_t edits = random.below(kMostEdits) + 1; edits > 0; --edits)
    edit(text, seeds, random);
  text.resize(std::min(text.size(), kLongest));
  return text;
}

}  // namespace personascope::fuzz
