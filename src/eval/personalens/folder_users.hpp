// Users from files in the published form: userN/profile.json, tasks.json and tasks_md.json.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/personalens/user.hpp"

namespace personascope::eval::personalens {

// `folder` is the one with the users' folders, or has it as profile/ or data/profile/. Files are
// read when a user is asked for. Fails as NotFound if there is no user.
Result<std::unique_ptr<UserSource>> open_folder_users(const std::string& folder);

// The hash over these users' files of `folder`, as hex digits; a file that cannot be read is hashed
// as missing: whoever needs it will say so. Fails as open_folder_users does.
Result<std::string> hash_folder_users(const std::string& folder, const std::vector<int>& users);

// Writes the user's three files below `folder`/profile/userN.
Result<void> save_user(const std::string& folder, const User& user,
                       const std::vector<LensTask>& single, const std::vector<LensTask>& multi);

// The numbers of the folders user0, user1, … in it, ascending; none if there is no such folder.
std::vector<int> list_user_numbers(const std::string& folder);
// The number in "user17"; nothing for any other name.
std::optional<int> find_user_number(std::string_view name);

}  // namespace personascope::eval::personalens
