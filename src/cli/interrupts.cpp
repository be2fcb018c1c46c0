#include "cli/interrupts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace personascope::cli {
namespace {

constexpr char kEnd = 0;  // in place of a signal's number: the watch is over

// Where the handler writes: all that it may do is to write.
std::atomic<int> g_signal_pipe = -1;

void note_signal(int signal) {
  const int saved = errno;
  const char number = static_cast<char>(signal);
  // A full pipe, which does not block, holds enough signals already.
  [[maybe_unused]] const auto written = ::write(g_signal_pipe, &number, 1);
  errno = saved;
}

bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

class Interrupts::Watch {
 public:
  explicit Watch(std::function<void()> stop) : stop_(std::move(stop)) {
    if (::pipe2(pipe_.data(), O_CLOEXEC) != 0) return;  // the signals keep their usual effect
    ::fcntl(pipe_[1], F_SETFL, O_NONBLOCK);
    g_signal_pipe = pipe_[1];
    thread_ = std::thread([this] { work(); });
    take(SIGINT);
    take(SIGTERM);
    if (!is_ignored(SIGHUP)) take(SIGHUP);  // ignored under nohup
  }

  ~Watch() {
    if (!thread_.joinable()) return;
    for (const auto& [signal, action] : before_) sigaction(signal, &action, nullptr);
    [[maybe_unused]] const auto written = ::write(pipe_[1], &kEnd, 1);
    thread_.join();
    g_signal_pipe = -1;
    for (const int end : pipe_) ::close(end);
  }

 private:
  void take(int signal) {
    struct sigaction action{};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    struct sigaction before{};
    if (sigaction(signal, &action, &before) == 0) before_.emplace_back(signal, before);
  }

  void work() {
    bool interrupted = false;
    for (;;) {
      char number = kEnd;
      const auto got = ::read(pipe_[0], &number, 1);
      if (got < 0 && errno == EINTR) continue;
      if (got != 1 || number == kEnd) return;
      // A terminal that goes away may say so twice: by itself and through the shell.
      if (interrupted && number != SIGHUP)
        std::quick_exit(kInterrupted);  // what was answered is committed
      if (!std::exchange(interrupted, true)) stop_();
    }
  }

  std::function<void()> stop_;
  std::array<int, 2> pipe_{-1, -1};
  std::vector<std::pair<int, struct sigaction>> before_;  // what the signals did before
  std::thread thread_;
};

Interrupts::Interrupts(std::function<void()> stop)
    : watch_(std::make_unique<Watch>(std::move(stop))) {}
Interrupts::~Interrupts() = default;

}  // namespace personascope::cli
