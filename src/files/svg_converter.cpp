#include "files/svg_converter.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"
#include "files/environment.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kLongestSaid = 300;

// A file in memory, closed with it.
class MemoryFile {
 public:
  MemoryFile() : number_(::memfd_create("personascope", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

  bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(number_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return ::lseek(number_, 0, SEEK_SET) == 0;
  }

  std::string read() const {
    std::string text;
    std::array<char, 1 << 16> part{};
    for (;;) {
      const ssize_t count =
          ::pread(number_, part.data(), part.size(), static_cast<off_t>(text.size()));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(part.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  int number_;
};

// 0, or why it could not be started.
int start_converter(std::string program, PictureFormat format, int input, int output, int said,
                    pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, said, 2);
  std::string format_word = "-f";
  std::string form = format == PictureFormat::Png ? "png" : "pdf";
  std::string zoom_word = "-z";
  std::string zoom = format == PictureFormat::Png ? "2" : "1";
  char* words[] = {program.data(),   format_word.data(), form.data(),
                   zoom_word.data(), zoom.data(),        nullptr};
  std::string language = "LC_ALL=C.UTF-8";
  char* variables[] = {language.data(), nullptr};  // no key of ours is in its environment
  const int reason = ::posix_spawn(&process, program.c_str(), &actions, nullptr, words, variables);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

}  // namespace

std::string find_svg_converter(const Environment& environment) {
  if (const auto given = environment.find("PERSONASCOPE_RSVG_CONVERT")) return *given;
  const std::string path = environment.find("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  for (const std::string_view folder : split(path, ':')) {
    // Only absolute folders: the current one may be somebody else's.
    if (!folder.starts_with('/')) continue;
    std::string program = std::string(folder) + "/rsvg-convert";
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return "";
}

Result<std::string> convert_svg(std::string_view svg, PictureFormat format,
                                const std::string& program) {
  if (program.empty() || ::access(program.c_str(), X_OK) != 0)
    return fail(ErrorKind::NotFound,
                "the program rsvg-convert is needed for PNG and PDF{}: install it (Debian: "
                "`apt-get install librsvg2-bin`), or write .svg, which needs nothing",
                program.empty() ? "" : ", and is not at " + printable(program));
  const MemoryFile input;
  const MemoryFile output;
  const MemoryFile said;
  if (input.number() < 0 || output.number() < 0 || said.number() < 0 || !input.write(svg))
    return fail(ErrorKind::Storage, "no memory for the picture: {}", std::strerror(errno));
  pid_t process = 0;
  if (const int reason =
          start_converter(program, format, input.number(), output.number(), said.number(), process);
      reason != 0)
    return fail(ErrorKind::NotFound, "{} cannot be started: {}", printable(program),
                std::strerror(reason));
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  std::string picture = output.read();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !picture.empty()) return picture;
  const std::string reason(trim(said.read()));
  return fail(
      ErrorKind::Storage, "rsvg-convert gave no picture: {}",
      reason.empty() ? "it gave no reason" : printable(shorten(make_utf8(reason), kLongestSaid)));
}

}  // namespace personascope::files
