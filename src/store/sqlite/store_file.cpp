#include "store/sqlite/store_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "store/sqlite/sqlite_error.hpp"

namespace personascope::store {
namespace {

namespace fs = std::filesystem;

Result<void> create_folders(const fs::path& folder) {
  std::error_code ignored;
  const fs::file_status status = fs::status(folder, ignored);
  if (fs::is_directory(status)) return {};
  if (fs::exists(status))
    return fail(ErrorKind::Invalid,
                "{} is a file, so a store cannot be inside it: name another path", folder.string());
  if (folder != folder.parent_path()) RETURN_IF_ERROR(create_folders(folder.parent_path()));
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return std::unexpected(make_file_error("create the folder", folder.string(), errno));
}

Result<void> create_file(const fs::path& path) {
  // Only a file that nobody has open is opened and closed here: closing one drops every lock that
  // SQLite holds on it in this process.
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) {
    ::close(file);
    return {};
  }
  if (errno == EEXIST) return {};
  return std::unexpected(make_file_error("create", path.string(), errno));
}

}  // namespace

Result<std::string> prepare_store_file(const std::string& path, IfMissing if_missing) {
  if (path.empty()) return fail(ErrorKind::Invalid, "the path of the store is empty: name a file");
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code).lexically_normal();
  const fs::file_status status = fs::status(absolute, code);
  if (fs::is_directory(status) || !absolute.has_filename())
    return fail(ErrorKind::Invalid, "{} is a folder: name a file in it, e.g. {}", path,
                (absolute / "personascope.db").string());
  if (fs::exists(status) && !fs::is_regular_file(status))
    return fail(ErrorKind::Invalid, "{} is not a regular file: name another", path);
  if (status.type() == fs::file_type::not_found) {
    if (if_missing == IfMissing::Fail)
      return fail(ErrorKind::NotFound, "there is no store at {}: check the path", path);
    RETURN_IF_ERROR(create_folders(absolute.parent_path()));
    RETURN_IF_ERROR(create_file(absolute));
  }
  const fs::path canonical = fs::canonical(absolute, code);
  if (code) return std::unexpected(make_file_error("open", absolute.string(), code.value()));
  return canonical.string();
}

}  // namespace personascope::store
