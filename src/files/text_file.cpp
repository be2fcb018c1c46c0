#include "files/text_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/text.hpp"

namespace personascope::files {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBufferSize = 64u << 10;

// The permissions of the file at `path`, if there is one, else those of a new file.
unsigned mode_for(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) return status.st_mode & 0777;
  return mode_by_umask(0666);
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

NewFile::NewFile(std::string path, unsigned mode, Part part)
    : path_(std::move(path)), mode_(mode), part_(std::move(part)) {}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)), mode_(other.mode_), buffer_(std::move(other.buffer_)) {
  if (other.part_) part_.emplace(std::move(*other.part_));
  other.part_.reset();
}

NewFile::~NewFile() {
  if (part_) ::unlink(part_->path().c_str());
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
  remove_dead_parts(folder.string());
  auto part = Part::make_file(folder.string());
  if (!part)
    return fail(ErrorKind::Invalid, "{} cannot be written: {}", printable(path),
                part.error().message);
  return NewFile(path, mode_for(path), std::move(*part));
}

Result<void> NewFile::write(std::string_view text) {
  buffer_ += text;
  return buffer_.size() < kBufferSize ? Result<void>{} : flush();
}

Result<void> NewFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(part_->descriptor(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(describe_failure("could not be written"));
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  buffer_.clear();
  return {};
}

Result<void> NewFile::commit() {
  RETURN_IF_ERROR(flush());
  // The rename must not reach the disk before the text does.
  if (::fchmod(part_->descriptor(), mode_) != 0 || ::fsync(part_->descriptor()) != 0)
    return std::unexpected(describe_failure("could not be written"));
  if (::rename(part_->path().c_str(), path_.c_str()) != 0)
    return std::unexpected(describe_failure("could not be put in place"));
  part_.reset();
  return {};
}

}  // namespace personascope::files
