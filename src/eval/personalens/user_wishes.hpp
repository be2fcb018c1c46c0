// Which users are meant, in any of the ways in which people name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/option_table.hpp"

namespace personascope::eval::personalens {

struct UserWishes {
  std::optional<std::string> users;    // "0-99,250"
  std::optional<std::int64_t> sample;  // 20, 30, 50 or 100
  std::optional<std::int64_t> first;   // the published program's --start_index and --end_index,
  std::optional<std::int64_t> last;    // both included
};

const core::OptionTable<UserWishes>& user_options();

// The users that are named, ascending; nothing if none are. A range without an end goes on to
// `last`, or to where no user is. Fails as Invalid if they are named in two ways.
Result<std::optional<std::vector<int>>> find_named_users(const UserWishes& wishes,
                                                         std::optional<int> last);

}  // namespace personascope::eval::personalens
