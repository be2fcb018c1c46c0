#include "files/part.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/text.hpp"

namespace personascope::files {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStart = ".personascope-";
constexpr std::string_view kRandom = "XXXXXX";
constexpr std::string_view kEnd = ".part";
constexpr int kMostTries = 100;

enum class Lock { Held, Taken, Unknown };

Lock try_lock(int descriptor) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? Lock::Taken : Lock::Unknown;
  }
  return Lock::Held;
}

// Older versions had two numbers in the name, and no lock.
bool is_name_of_part(std::string_view name) {
  return name.starts_with(kStart) && name.ends_with(kEnd) &&
         name.size() == kStart.size() + kRandom.size() + kEnd.size();
}

// Whether `path` is what the descriptor has open.
bool is_at(const std::string& path, int descriptor) {
  struct stat open_one{}, named{};
  return ::fstat(descriptor, &open_one) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

std::string make_template(const std::string& folder) {
  return (fs::path(folder) / fmt::format("{}{}{}", kStart, kRandom, kEnd)).string();
}

std::unexpected<Error> cannot_make(const std::string& folder) {
  return fail(ErrorKind::Invalid, "nothing can be written in the folder {}: {}", printable(folder),
              std::strerror(errno));
}

int make_and_open_folder(std::string& path) {
  // mkdtemp wants the random part at the end, and the name must end otherwise: so it is
  // renamed, which fails where there is something but an empty folder of that name.
  std::string plain = path.substr(0, path.size() - kEnd.size());
  if (!::mkdtemp(plain.data())) return -1;
  path = plain + std::string(kEnd);
  if (::rename(plain.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::rmdir(plain.c_str());
    errno = reason;
    return -1;
  }
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

}  // namespace

Part::Part(Part&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Part::~Part() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Part> Part::make_file(const std::string& folder) {
  for (int tries = 0; tries < kMostTries; ++tries) {
    std::string path = make_template(folder);
    const int descriptor = ::mkostemps(path.data(), static_cast<int>(kEnd.size()), O_CLOEXEC);
    if (descriptor < 0) return cannot_make(folder);
    Part part(path, descriptor);
    try_lock(descriptor);
    // Before it was locked, another process may have taken it for a dead one's and removed it.
    if (is_at(path, descriptor)) return part;
  }
  return fail(ErrorKind::Invalid, "files in {} disappear as soon as they are created",
              printable(folder));
}

Result<Part> Part::make_folder(const std::string& folder) {
  for (int tries = 0; tries < kMostTries; ++tries) {
    std::string path = make_template(folder);
    const int descriptor = make_and_open_folder(path);
    if (descriptor < 0 && errno != ENOENT) return cannot_make(folder);
    if (descriptor < 0) continue;
    Part part(path, descriptor);
    try_lock(descriptor);
    if (is_at(path, descriptor)) return part;
  }
  return cannot_make(folder);
}

void remove_dead_parts(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    if (!is_name_of_part(entry->path().filename().string())) continue;
    std::error_code ignored;
    const int wanted = entry->is_directory(ignored) ? O_RDONLY | O_DIRECTORY : O_RDWR;
    const int descriptor = ::open(path.c_str(), wanted | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct stat status{};
    const bool is_ours = ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
                         (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
    if (is_ours && try_lock(descriptor) == Lock::Held && is_at(path, descriptor))
      fs::remove_all(path, ignored);
    ::close(descriptor);
  }
}

unsigned mode_by_umask(unsigned most) {
  // There is no way to read it but to set it; meanwhile other threads' files are the user's alone.
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return most & ~static_cast<unsigned>(mask);
}

}  // namespace personascope::files
