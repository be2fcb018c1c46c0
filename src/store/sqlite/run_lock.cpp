#include "store/sqlite/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "store/sqlite/sqlite_error.hpp"

namespace personascope::store {
namespace {

// Held by the open file (flock), so that a second one in the same process is refused as well.
class LockFile {
 public:
  LockFile(int file, std::string path) : file_(file), path_(std::move(path)) {}
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  ~LockFile() {
    if (is_held_) ::unlink(path_.c_str());
    ::close(file_);
  }

  bool try_lock() { return ::flock(file_, LOCK_EX | LOCK_NB) == 0; }

  // Whether the locked file is still the one at the path: the holder before us may have removed it
  // between our opening and our locking it. Only then is it ours to remove.
  bool check_held() {
    struct stat locked{};
    struct stat present{};
    is_held_ = ::fstat(file_, &locked) == 0 && ::stat(path_.c_str(), &present) == 0 &&
               locked.st_ino == present.st_ino && locked.st_dev == present.st_dev;
    return is_held_;
  }

 private:
  int file_;
  std::string path_;
  bool is_held_ = false;
};

}  // namespace

Result<std::shared_ptr<void>> acquire_run_lock(const std::string& store_path, std::int64_t run) {
  const std::string path = fmt::format("{}.run-{}.lock", store_path, run);
  for (;;) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return std::unexpected(make_file_error("create", path, errno));
    auto lock = std::make_shared<LockFile>(file, path);
    if (!lock->try_lock()) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK) return std::unexpected(make_file_error("lock", path, errno));
      return fail(ErrorKind::Invalid,
                  "another process is carrying out run {}: wait for it to end, or stop it", run);
    }
    if (lock->check_held()) return lock;
  }
}

}  // namespace personascope::store
