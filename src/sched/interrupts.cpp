#include "sched/interrupts.hpp"

#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdlib>

namespace personascope::sched {
namespace {

constexpr int kInterruptedExit = 130;

bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

class Interrupts::Watch {
 public:
  Watch(Loop& loop, Stop& stop) : stop_(stop), signals_(loop.context(), SIGINT, SIGTERM) {
    if (!is_ignored(SIGHUP)) signals_.add(SIGHUP);  // nohup wants it ignored
    wait();
  }
  void release() { signals_.cancel(); }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      // A terminal that goes away may say so twice: by itself and through the shell.
      if (interrupted_ && signal != SIGHUP)
        std::quick_exit(kInterruptedExit);  // what was answered is committed
      interrupted_ = true;  // not stop_.requested(): a budget may have stopped the run before
      stop_.request(Error{ErrorKind::Cancelled, "interrupted"});
      wait();
    });
  }

  Stop& stop_;
  bool interrupted_ = false;
  boost::asio::signal_set signals_;
};

Interrupts::Interrupts(Loop& loop, Stop& stop) : watch_(std::make_unique<Watch>(loop, stop)) {}
Interrupts::~Interrupts() = default;
void Interrupts::release() {
  watch_->release();
}

}  // namespace personascope::sched
