#include "eval/personalens/folder_users.hpp"

#include <algorithm>
#include <filesystem>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::personalens {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kLargestUserFile = 64u << 20;

Result<std::string> load_user_file(const std::string& path) {
  std::error_code ignored;  // a pipe would be waited for
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    return fail(ErrorKind::Invalid, "{} is no file", printable(path));
  return files::load_text(path, kLargestUserFile);
}

class FolderUsers final : public UserSource {
 public:
  FolderUsers(std::string folder, std::vector<int> users)
      : folder_(std::move(folder)), users_(std::move(users)) {}

  std::vector<int> list_users() const override { return users_; }

  Result<User> load_user(int number) const override {
    const std::string path = path_of(number, "profile.json");
    ASSIGN_OR_RETURN(const std::string text, load(number, path));
    return parse_user(text, path, number);
  }

  Result<std::vector<LensTask>> load_tasks(int number, Span span) const override {
    const std::string path = path_of(number, span == Span::Single ? "tasks.json" : "tasks_md.json");
    ASSIGN_OR_RETURN(const std::string text, load(number, path));
    return parse_tasks(text, path, span);
  }

 private:
  std::string path_of(int number, const char* name) const {
    return fmt::format("{}/user{}/{}", folder_, number, name);
  }
  Result<std::string> load(int number, const std::string& path) const {
    if (!std::ranges::binary_search(users_, number))
      return fail(ErrorKind::NotFound, "there is no user{} in {}: it has {} users, {} to {}",
                  number, printable(folder_), users_.size(), users_.front(), users_.back());
    return load_user_file(path);
  }

  std::string folder_;
  std::vector<int> users_;
};

Result<void> save_user_file(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(path));
  RETURN_IF_ERROR(file.write(text));
  return file.commit();
}

// Where the users' folders are, and their numbers.
struct ProfileFolder {
  std::string path;
  std::vector<int> users;
};

Result<ProfileFolder> find_profiles(const std::string& folder) {
  for (const std::string& place : {folder + "/data/profile", folder + "/profile", folder})
    if (std::vector<int> numbers = list_user_numbers(place); !numbers.empty())
      return ProfileFolder{place, std::move(numbers)};
  return fail(ErrorKind::NotFound,
              "{} has no users: it should hold folders user0, user1, … with profile.json and "
              "tasks.json, itself or in profile/ (make some: personascope lens profiles -o DIR)",
              printable(folder));
}

}  // namespace

std::vector<int> list_user_numbers(const std::string& folder) {
  std::vector<int> numbers;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (const auto number = find_user_number(entry->path().filename().string()))
      numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

std::optional<int> find_user_number(std::string_view name) {
  if (!name.starts_with("user")) return std::nullopt;
  const auto number = find_integer_in(name.substr(4));
  if (!number || *number < 0 || *number > 100'000'000 || name[4] == '-') return std::nullopt;
  if (name.size() > 5 && name[4] == '0') return std::nullopt;
  return static_cast<int>(*number);
}

Result<std::unique_ptr<UserSource>> open_folder_users(const std::string& folder) {
  ASSIGN_OR_RETURN(auto place, find_profiles(folder));
  return std::unique_ptr<UserSource>(
      std::make_unique<FolderUsers>(std::move(place.path), std::move(place.users)));
}

Result<std::string> hash_folder_users(const std::string& folder, const std::vector<int>& users) {
  ASSIGN_OR_RETURN(const ProfileFolder place, find_profiles(folder));
  Sha256 hash;
  for (const int user : users)
    for (const char* name : {"profile.json", "tasks.json", "tasks_md.json"}) {
      const auto text = load_user_file(fmt::format("{}/user{}/{}", place.path, user, name));
      hash.update(fmt::format("{}/{} {};", user, name, text ? text->size() : 0));
      if (text) hash.update(*text);
    }
  return render_hex(hash.digest());
}

Result<void> save_user(const std::string& folder, const User& user,
                       const std::vector<LensTask>& single, const std::vector<LensTask>& multi) {
  const std::string own = fmt::format("{}/profile/user{}", folder, user.number);
  std::error_code failed;
  fs::create_directories(own, failed);
  if (failed)
    return fail(ErrorKind::Invalid, "the folder {} cannot be created: {}", printable(own),
                failed.message());
  RETURN_IF_ERROR(save_user_file(own + "/profile.json", render_user(user)));
  RETURN_IF_ERROR(save_user_file(own + "/tasks.json", render_tasks(single)));
  return save_user_file(own + "/tasks_md.json", render_tasks(multi));
}

}  // namespace personascope::eval::personalens
