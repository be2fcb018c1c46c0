#include "files/text_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/text.hpp"

namespace personascope::files {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kTemporaryStart = ".personascope-";  // then the process's id and a count
constexpr std::string_view kTemporaryEnd = ".part";

// Removes what processes that were killed have left.
void remove_leftovers(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kTemporaryStart) || !name.ends_with(kTemporaryEnd)) continue;
    const std::string_view rest = std::string_view(name).substr(kTemporaryStart.size());
    const auto process = find_integer_in(rest.substr(0, rest.find('-')));
    std::error_code ignored;
    if (process && *process > 0 && kill(static_cast<pid_t>(*process), 0) != 0 && errno == ESRCH)
      fs::remove(entry->path(), ignored);
  }
}

}  // namespace

Result<std::ifstream> open_for_reading(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return fail(ErrorKind::NotFound, "{}: no such file", printable(path));
  if (fs::is_directory(status))
    return fail(ErrorKind::Invalid, "{} is a folder; name a file", printable(path));
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return fail(ErrorKind::Invalid, "{} cannot be read: {}", printable(path), std::strerror(errno));
  return stream;
}

Result<std::string> load_text(const std::string& path, std::size_t most) {
  ASSIGN_OR_RETURN(std::ifstream stream, open_for_reading(path));
  std::string text;
  char buffer[1 << 16];
  while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most)
      return fail(ErrorKind::Invalid, "{} is larger than {} MB", printable(path), most >> 20);
  }
  if (stream.bad()) return fail(ErrorKind::Invalid, "{} cannot be read", printable(path));
  return text;
}

NewFile::NewFile(std::string path, std::string temporary)
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      stream_(temporary_, std::ios::binary | std::ios::trunc) {}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      stream_(std::move(other.stream_)) {}

NewFile::~NewFile() {
  if (temporary_.empty()) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

Error NewFile::describe_failure(std::string_view what) const {
  return {ErrorKind::Storage,
          fmt::format("{} {}: {}", printable(path_), what, std::strerror(errno))};
}

Result<NewFile> NewFile::create(const std::string& path) {
  std::error_code error;
  if (path.empty() || path == "-" || fs::is_directory(path, error))
    return fail(ErrorKind::Invalid, "\"{}\" is not a file; name a file to write", printable(path));
  // The rename would put a plain file in the place of, say, /dev/null.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    return fail(ErrorKind::Invalid, "{} is a device or a pipe; name a file to write",
                printable(path));
  const fs::path target(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    return fail(ErrorKind::Invalid, "the folder {} does not exist; make it first",
                printable(folder.string()));
  remove_leftovers(folder);
  // Not made of the file's name, which may already be as long as names can be.
  static std::atomic<unsigned> count{0};
  const std::string temporary =
      (folder / fmt::format("{}{}-{}{}", kTemporaryStart, getpid(), ++count, kTemporaryEnd))
          .string();
  NewFile file(path, temporary);
  if (!file.stream_) {
    Error failure{ErrorKind::Invalid,
                  fmt::format("{} cannot be written: {}", printable(path), std::strerror(errno))};
    file.temporary_.clear();
    return std::unexpected(std::move(failure));
  }
  return file;
}

Result<void> NewFile::write(std::string_view text) {
  stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream_) return std::unexpected(describe_failure("could not be written"));
  return {};
}

Result<void> NewFile::commit() {
  stream_.close();
  if (!stream_) return std::unexpected(describe_failure("could not be written"));
  // The rename must not reach the disk before the text does.
  const int fd = open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = fd >= 0 && fsync(fd) == 0;
  const Error failure = describe_failure("could not be written");
  if (fd >= 0) close(fd);
  if (!synced) return std::unexpected(failure);
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error)
    return fail(ErrorKind::Storage, "{} could not be put in place: {}", printable(path_),
                error.message());
  temporary_.clear();
  return {};
}

}  // namespace personascope::files
