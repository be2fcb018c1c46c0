#include "base/open_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace personascope {
namespace {

// More than any run uses; some systems allow a billion, and then children spend seconds closing
// what is not open.
constexpr rlim_t kEnough = 1u << 20;

}  // namespace

void raise_open_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min(limit.rlim_max, kEnough);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);  // if not, the old limit holds
}

bool is_out_of_open_files() {
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno == EMFILE || errno == ENFILE;
  close(descriptor);
  return false;
}

std::string describe_open_file_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return fmt::format(
      "too many open files: this process may have {} (`ulimit -n` shows and raises that); lower "
      "`max_connections`",
      limit.rlim_cur);
}

}  // namespace personascope
