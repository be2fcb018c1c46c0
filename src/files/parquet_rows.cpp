#include "files/parquet_rows.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kLongestComplaint = 300;

// Both ends of a pipe, closed with it.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  bool open() { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }
};

std::string read_complaint(int descriptor) {
  std::array<char, 4096> text{};
  const ssize_t count = ::read(descriptor, text.data(), text.size());
  return std::string(trim({text.data(), count > 0 ? static_cast<std::size_t>(count) : 0}));
}

// 0, or why it could not be started.
int start_program(const std::string& program, const std::string& path, const Pipe& rows,
                  const Pipe& complaints, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, rows.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, complaints.ends[1], 2);
  std::string first = program;
  std::string second = path;
  char* words[] = {first.data(), second.data(), nullptr};
  char* nothing[] = {nullptr};  // no key of ours is in its environment
  const int reason = ::posix_spawn(&process, program.c_str(), &actions, nullptr, words, nothing);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

}  // namespace

Result<ParquetRows> ParquetRows::open(const std::string& path, const std::string& program) {
  if (::access(program.c_str(), X_OK) != 0)
    return fail(ErrorKind::NotFound,
                "{} is a Parquet file, but the program that reads Parquet is not at {}: run "
                "scripts/setup-parquet once (it fetches 54 MB), or convert the file to JSONL",
                printable(path), printable(program));
  Pipe rows;
  Pipe complaints;
  pid_t process = 0;
  if (!rows.open() || !complaints.open())
    return fail(ErrorKind::Storage, "no pipe can be created: {}", std::strerror(errno));
  if (const int reason = start_program(program, path, rows, complaints, process); reason != 0)
    return fail(ErrorKind::NotFound, "{} cannot be started: {}; run scripts/setup-parquet",
                printable(program), std::strerror(reason));
  // Opened anew while our end is still there, and before the writing end is closed here.
  auto lines = LineReader::open(fmt::format("/proc/self/fd/{}", rows.ends[0]));
  if (!lines) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    return std::unexpected(lines.error());
  }
  return ParquetRows(path, process, std::exchange(complaints.ends[0], -1), std::move(*lines));
}

ParquetRows::ParquetRows(ParquetRows&& other) noexcept
    : path_(std::move(other.path_)),
      process_(std::exchange(other.process_, 0)),
      complaints_(std::exchange(other.complaints_, -1)),
      lines_(std::move(other.lines_)) {}

ParquetRows::~ParquetRows() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  if (complaints_ >= 0) ::close(complaints_);
}

Result<std::optional<std::string>> ParquetRows::next() {
  if (process_ == 0) return std::nullopt;
  ASSIGN_OR_RETURN(std::optional<std::string> line, lines_.next());
  if (!line) RETURN_IF_ERROR(check_end());
  return line;
}

Result<void> ParquetRows::check_end() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string complaint = read_complaint(complaints_);
  return fail(ErrorKind::Invalid, "{} cannot be read as Parquet: {}", printable(path_),
              !complaint.empty() ? printable(shorten(make_utf8(complaint), kLongestComplaint))
              : WIFSIGNALED(status)
                  ? fmt::format("its reader was ended by signal {}", WTERMSIG(status))
                  : std::string("its reader gave no reason"));
}

}  // namespace personascope::files
