#include "files/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/text.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kFirstBuffer = 32u << 10;

Result<int> open_at(int parent, const std::string& name, int flags) {
  const int descriptor = ::openat(parent, name.c_str(), flags | O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) return descriptor;
  return fail(errno == ENOENT || errno == ENOTDIR ? ErrorKind::NotFound : ErrorKind::Invalid,
              "{} cannot be opened: {}", printable(name), std::strerror(errno));
}

}  // namespace

Result<Folder> Folder::open(const std::string& path) {
  ASSIGN_OR_RETURN(const int descriptor, open_at(AT_FDCWD, path, O_DIRECTORY));
  return Folder(descriptor);
}

Result<Folder> Folder::open_folder(const std::string& name) const {
  ASSIGN_OR_RETURN(const int descriptor, open_at(descriptor_, name, O_DIRECTORY));
  return Folder(descriptor);
}

Folder::Folder(Folder&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Folder::~Folder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> Folder::list(std::vector<std::string>& names) const {
  names.clear();
  // The stream takes a descriptor of its own: it moves the place and closes it.
  const int own = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const auto close_stream = [](DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<DIR, decltype(close_stream)> stream(own < 0 ? nullptr : ::fdopendir(own));
  if (!stream) {
    const int reason = errno;
    if (own >= 0) ::close(own);
    return fail(ErrorKind::Invalid, "a folder cannot be listed: {}", std::strerror(reason));
  }
  while (const dirent* entry = ::readdir(stream.get()))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  return {};
}

Result<std::string_view> Folder::read(const std::string& name, std::vector<char>& buffer,
                                      std::size_t most) const {
  ASSIGN_OR_RETURN(const int descriptor, open_at(descriptor_, name, O_NONBLOCK));
  if (buffer.size() < kFirstBuffer) buffer.resize(kFirstBuffer);
  std::size_t size = 0;
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data() + size, buffer.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int reason = errno;
      ::close(descriptor);
      return fail(ErrorKind::Invalid, "{} cannot be read: {}", printable(name),
                  std::strerror(reason));
    }
    size += static_cast<std::size_t>(count);
    if (size > most) {
      ::close(descriptor);
      return fail(ErrorKind::Invalid, "{} has more than {} bytes", printable(name), most);
    }
    if (size < buffer.size()) break;  // of a file, less than asked for is the end
    buffer.resize(2 * buffer.size());
  }
  ::close(descriptor);
  return std::string_view(buffer.data(), size);
}

}  // namespace personascope::files
