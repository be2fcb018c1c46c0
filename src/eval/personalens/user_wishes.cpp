#include "eval/personalens/user_wishes.hpp"

#include <algorithm>

#include "eval/personalens/user_choice.hpp"

namespace personascope::eval::personalens {

const core::OptionTable<UserWishes>& user_options() {
  static const core::OptionTable<UserWishes> table{
      {&UserWishes::users,
       {.name = "users", .value = "LIST", .sentence = "only these users, e.g. 0-99,250"}},
      {&UserWishes::sample,
       {.name = "sample",
        .value = "N",
        .choices = {"20", "30", "50", "100"},
        .sentence = "the fixed sample of 20, 30, 50 or 100 users"}},
      {&UserWishes::first,
       {.name = "start_index",
        .flag = "start_index",
        .short_flag = "s",
        .value = "N",
        .sentence = "the first user"}},
      {&UserWishes::last,
       {.name = "end_index",
        .flag = "end_index",
        .short_flag = "e",
        .value = "N",
        .sentence = "the last user"}}};
  return table;
}

Result<std::optional<std::vector<int>>> find_named_users(const UserWishes& wishes,
                                                         std::optional<int> last) {
  const bool by_index = wishes.first || wishes.last;
  if ((wishes.users ? 1 : 0) + (wishes.sample ? 1 : 0) + (by_index ? 1 : 0) > 1)
    return fail(ErrorKind::Invalid,
                "users are named in two ways: use one of `users`, `sample` and `start_index` with "
                "`end_index`");
  if (wishes.users) {
    ASSIGN_OR_RETURN(auto users, parse_user_ranges(*wishes.users));
    return std::optional(std::move(users));
  }
  if (wishes.sample) {
    ASSIGN_OR_RETURN(auto users, find_sample(static_cast<int>(*wishes.sample)));
    return std::optional(std::move(users));
  }
  if (!by_index) return std::optional<std::vector<int>>{};
  constexpr std::int64_t kFarAway = 500'000;  // users after the first
  const std::int64_t first = wishes.first.value_or(0);
  const std::int64_t open_end = last ? std::max<std::int64_t>(first, *last) : first + kFarAway;
  ASSIGN_OR_RETURN(auto users,
                   parse_user_ranges(fmt::format("{}-{}", first, wishes.last.value_or(open_end))));
  return std::optional(std::move(users));
}

}  // namespace personascope::eval::personalens
