// Which users: ranges and single numbers, and the published program's fixed samples.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace personascope::eval::personalens {

// How many users the published data have, and how many are drawn where none are given.
inline constexpr int kUserCount = 1500;

// "0-99,250": ascending, each once. Fails as Invalid, saying what is wrong.
Result<std::vector<int>> parse_user_ranges(std::string_view text);

// The fixed sample of 20, 30, 50 or 100 users, ascending; each holds the smaller ones. Fails as
// Invalid for any other size.
Result<std::vector<int>> find_sample(int size);

}  // namespace personascope::eval::personalens
