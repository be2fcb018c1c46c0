#include "files/own_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace personascope::files {
namespace {

// Closes the file at the end of the scope.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

// Why the open file may not be used, or nothing.
std::string find_objection(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return std::strerror(errno);
  if (!S_ISREG(status.st_mode)) return "it is not a plain file";
  if (status.st_uid != ::geteuid() && status.st_uid != 0) return "it belongs to another user";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "others may write to it; `chmod go-w` changes that";
  return "";
}

Result<std::string> read_all(int descriptor, std::size_t most_bytes) {
  std::string text;
  char buffer[1 << 14];
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(ErrorKind::Invalid, "cannot be read: {}", std::strerror(errno));
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > most_bytes)
      return fail(ErrorKind::Invalid, "is larger than {} MB", most_bytes >> 20);
  }
}

}  // namespace

Result<OwnFile> load_own_file(const std::string& path, std::size_t most_bytes) {
  // Looked at by its descriptor, so that it cannot be exchanged in between.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  OwnFile own;
  own.objection = file.number < 0 ? std::string(std::strerror(errno)) : find_objection(file.number);
  if (!own.objection.empty()) return own;
  ASSIGN_OR_RETURN(own.text, read_all(file.number, most_bytes));
  return own;
}

}  // namespace personascope::files
