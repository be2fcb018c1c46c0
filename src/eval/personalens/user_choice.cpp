#include "eval/personalens/user_choice.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr int kLargestNumber = 100'000'000;
constexpr std::size_t kMostUsers = 1'000'000;

// The first 20, 30, 50 and all 100 are the samples.
constexpr std::array kSample{
    66,   132,  139,  207,  230,  340,  386,  389,  415,  428,  597, 746,  774,  854,  900,
    1111, 1197, 1231, 1322, 1458, 7,    251,  313,  376,  788,  822, 1142, 1150, 1492, 1495,
    53,   107,  167,  195,  418,  439,  517,  532,  630,  641,  660, 674,  701,  802,  1145,
    1335, 1362, 1377, 1439, 1493, 21,   86,   157,  166,  168,  248, 312,  352,  363,  365,
    394,  431,  470,  482,  619,  657,  659,  664,  686,  689,  744, 745,  813,  838,  840,
    842,  847,  857,  870,  878,  880,  913,  928,  942,  954,  997, 1069, 1114, 1118, 1120,
    1151, 1167, 1184, 1246, 1330, 1345, 1384, 1434, 1461, 1496,
};
static_assert(kSample.size() == 100);

}  // namespace

Result<std::vector<int>> parse_user_ranges(std::string_view text) {
  std::vector<int> users;
  for (const std::string_view part : split(text, ',')) {
    const std::string_view range = trim(part);
    const std::size_t dash = range.find('-', 1);
    const auto first = find_integer_in(trim(range.substr(0, dash)));
    const auto last =
        dash == std::string_view::npos ? first : find_integer_in(trim(range.substr(dash + 1)));
    if (!first || !last || *first < 0 || *last < *first || *last > kLargestNumber)
      return fail(ErrorKind::Invalid,
                  "\"{}\" is not a range of users; write numbers and ranges, such as 0-99,250",
                  printable(shorten(range, 40)));
    if (users.size() + static_cast<std::size_t>(*last - *first) >= kMostUsers)
      return fail(ErrorKind::Invalid, "\"{}\" names more than a million users",
                  printable(shorten(text, 40)));
    for (long long number = *first; number <= *last; ++number)
      users.push_back(static_cast<int>(number));
  }
  std::ranges::sort(users);
  users.erase(std::unique(users.begin(), users.end()), users.end());
  return users;
}

Result<std::vector<int>> find_sample(int size) {
  if (size != 20 && size != 30 && size != 50 && size != 100)
    return fail(ErrorKind::Invalid, "there is no sample of {}; there are 20, 30, 50 and 100", size);
  std::vector<int> users(kSample.begin(), kSample.begin() + size);
  std::ranges::sort(users);
  return users;
}

}  // namespace personascope::eval::personalens
