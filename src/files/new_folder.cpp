#include "files/new_folder.hpp"

#include <fcntl.h>
#include <stdio.h>

#include <filesystem>

#include "base/text.hpp"
#include "files/part.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

namespace fs = std::filesystem;

// Removes the folder in the making, unless it was renamed away.
struct Cleanup {
  const fs::path path;
  ~Cleanup() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

std::unexpected<Error> cannot_write(const fs::path& path, const std::error_code& error) {
  return fail(ErrorKind::Storage, "{} could not be written: {}", printable(path.string()),
              error.message());
}

// Puts `made` in the place of `path`, which exists: in one step, so that there is always a whole
// folder of that name, or in two where the file system has no such step.
std::error_code swap_in(const fs::path& made, const fs::path& path) {
  if (renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return {};
  const fs::path old = made.string() + ".old";
  std::error_code error, ignored;
  fs::rename(path, old, error);
  if (error) return error;
  fs::rename(made, path, error);
  if (error)
    fs::rename(old, path, ignored);
  else
    fs::remove_all(old, ignored);
  return error;
}

}  // namespace

Result<void> write_folder(const std::string& path,
                          const std::map<std::string, std::string>& contents, IfExists if_exists) {
  const fs::path target = fs::path(path).lexically_normal();
  std::error_code error;
  const bool exists = fs::exists(fs::symlink_status(target, error));
  if (exists && if_exists == IfExists::Refuse)
    return fail(ErrorKind::Invalid, "{} exists already; use `force` to replace it",
                printable(path));
  if (exists && !fs::is_directory(fs::symlink_status(target, error)))
    return fail(ErrorKind::Invalid, "{} is not a folder; move it out of the way", printable(path));
  fs::create_directories(target.parent_path(), error);
  if (error) return cannot_write(target.parent_path(), error);
  const std::string beside = target.has_parent_path() ? target.parent_path().string() : ".";
  remove_dead_parts(beside);
  auto part = Part::make_folder(beside);
  if (!part)
    return fail(ErrorKind::Storage, "{} could not be written: {}", printable(path),
                part.error().message);
  const Cleanup cleanup{part->path()};
  for (const auto& [name, text] : contents) {
    const fs::path file = fs::path(part->path()) / name;
    fs::create_directories(file.parent_path(), error);
    if (error) return cannot_write(file, error);
    ASSIGN_OR_RETURN(NewFile written, NewFile::create(file.string()));
    RETURN_IF_ERROR(written.write(text));
    RETURN_IF_ERROR(written.commit());
  }
  fs::permissions(part->path(), fs::perms(mode_by_umask(0777)), error);
  if (exists)
    error = swap_in(part->path(), target);
  else
    fs::rename(part->path(), target, error);
  if (error) return cannot_write(target, error);
  return {};
}

}  // namespace personascope::files
